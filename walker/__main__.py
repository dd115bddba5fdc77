"""`python -m walker` is the command line."""

from walker.cli.main import main

if __name__ == "__main__":
    main()
