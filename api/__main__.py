"""`python -m tilegpu` is the command."""

from tilegpu.tools.main import main

if __name__ == "__main__":
    main()
