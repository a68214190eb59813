"""The bundled scenes, as programs that draw with the recorder: `python -m tilegpu.tools.scenes FOLDER` makes the traces
again."""
