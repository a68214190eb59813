"""The `tilegpu` command."""

from __future__ import annotations

import sys
from importlib.metadata import version

import click
import typer

from tilegpu.functional.activity import ActivityError
from tilegpu.functional.capture import CaptureError
from tilegpu.functional.comparison import ImageError

from . import compare, demo, info, render, replay, trace
from .console import EXIT_USAGE, fail

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown", help="""
Simulate a mobile tile-based GPU.

A captured OpenGL ES application (an apitrace `.trace` file) is **render**ed to images or **trace**d to an activity:
tables of what every pipeline stage did. The activity is **replay**ed through a cycle-level model of a GPU, under any
hardware configuration, as often as you like. **compare** tells how far two images are apart; **info** what a capture
holds; **demo** does all of it on a bundled scene.
""")
app.command("info")(info.info)
app.command("render")(render.render)
app.command("trace")(trace.trace)
app.command("replay")(replay.replay)
app.command("compare")(compare.compare)
app.command("demo")(demo.demo)


@app.callback(invoke_without_command=True)
def _options(show_version: bool = typer.Option(False, "--version", help="Print the version and leave.", is_eager=True)) -> None:
    if show_version:
        typer.echo(f"tilegpu {version('tilegpu')}")
        raise typer.Exit


def main() -> None:
    """Run the command; what cannot be done ends in one line and exit status 2."""
    try:
        app(standalone_mode=False)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as error:
        fail(error.format_message())
        sys.exit(EXIT_USAGE)
    except (CaptureError, ActivityError, ImageError, ValueError) as error:
        fail(str(error).splitlines()[0] if str(error) else type(error).__name__)
        sys.exit(EXIT_USAGE)
    except OSError as error:
        fail(f"{error.filename or ''}: {error.strerror or error}")
        sys.exit(EXIT_USAGE)
    except (KeyboardInterrupt, click.exceptions.Abort):
        fail("interrupted")
        sys.exit(130)
