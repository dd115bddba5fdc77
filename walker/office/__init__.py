"""Office, CSV and Markdown files as pages: Word, Excel, PowerPoint and OpenDocument."""
