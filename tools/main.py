"""The `tilegpu` command."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any, NoReturn

import typer

from tilegpu.functional.errors import Fault, UserError
from tilegpu.functional.garbage import SELDOM

from .console import EXIT_FAULT, EXIT_UNREAD, EXIT_USAGE, fail, file_error, forget_output, warn
from .verbs import Verbs

TRACEBACK = "TILEGPU_TRACEBACK"
PLUGINS = "TILEGPU_PLUGINS"
PLUGIN_PARTS = "machines", "techniques", "units", "policies", "quad_mappings", "warp_schedulers", "predictors"
"""As `timing.registry` has them, which takes long to import."""

# Typer's own errors derive from Click's, which it imports or carries along depending on its version.
USAGE_ERROR: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

app = typer.Typer(
    cls=Verbs,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    help="""
Simulate a mobile tile-based GPU.

A captured OpenGL ES application (an apitrace `.trace` file) is **render**ed to images or **trace**d to an activity:
tables of what every pipeline stage did. The activity is **replay**ed through a cycle-level model of a GPU, under any
hardware configuration, as often as you like. **compare** tells how far two images are apart; **info** what a capture
holds; **demo** does all of it on a bundled scene.
""",
)


@app.callback(invoke_without_command=True)
def _options(
    show_version: bool = typer.Option(False, "--version", help="Print the version and leave.", is_eager=True),
) -> None:
    if show_version:
        from importlib.metadata import version

        typer.echo(f"tilegpu {version('tilegpu')}")
        raise typer.Exit


def useless_plugins(folders: str) -> list[str]:
    """A line for each folder of plug-ins that holds none.

    Raises
    ------
    UserError
        If one is not there.
    """
    lines = []
    for folder in filter(None, folders.split(os.pathsep)):
        if not os.path.isdir(folder):
            raise UserError(f"{PLUGINS}: {folder}: no such folder")
        if not any(os.path.isdir(os.path.join(folder, part)) for part in PLUGIN_PARTS):
            lines.append(f"{PLUGINS}: {folder}: has none of {', '.join(PLUGIN_PARTS)}, where plug-ins are")
    return lines


def main() -> None:
    """Run the command; what cannot be done ends in one line and exit status 2, a fault of our own in 3."""
    _in_utf8()
    gc.set_threshold(*SELDOM)
    try:
        for line in useless_plugins(os.environ.get(PLUGINS, "")):
            warn(line)
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as leaving:
        # Click and Rich end with 1 where nobody reads on, as behind `head`, which no command after a pipe expects.
        if isinstance(leaving, SystemExit) and not isinstance(leaving.__context__, BrokenPipeError):
            raise
        forget_output()
        sys.exit(EXIT_UNREAD)
    except USAGE_ERROR as error:
        # Without any verb the help was printed instead, and the message is empty.
        if not error.format_message():
            sys.exit(EXIT_USAGE)
        _leave(error.format_message())
    except UserError as error:
        _leave(str(error) or type(error).__name__)
    except OSError as error:
        _leave(file_error(error))
    except MemoryError as error:
        _leave(f"not enough memory{f': {error}' if str(error) else ''}")
    except (KeyboardInterrupt, typer.Abort):
        fail("interrupted")
        sys.exit(130)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        hint = f"please report it with its input; {TRACEBACK}=1 shows where it is"
        fail(f"a fault of tilegpu, not of its input: {_one_line(_told(error))} ({hint})")
        sys.exit(EXIT_FAULT)
    else:
        sys.exit(status if isinstance(status, int) else 0)
    finally:
        # The interpreter would look for cycles in all that the compilers made, half a second long.
        gc.freeze()


def _in_utf8() -> None:
    """Begin again in Python's UTF-8 mode where names of files would be something else, which Arrow cannot write."""
    if sys.getfilesystemencoding().lower() != "utf-8" and "TILEGPU_UTF8" not in os.environ:
        os.environ |= {"PYTHONUTF8": "1", "TILEGPU_UTF8": "1"}
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _leave(message: str) -> NoReturn:
    fail(_one_line(message))
    sys.exit(EXIT_USAGE)


def _told(error: Exception) -> str:
    """Message of a fault; of an unexpected one, its kind too."""
    return str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"


def _one_line(message: str) -> str:
    return " ".join(line.strip() for line in message.splitlines() if line.strip())


if __name__ == "__main__":
    main()
