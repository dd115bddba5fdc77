"""`python -m walker` is the command line."""

from walker.cli import main

if __name__ == "__main__":
    main()
