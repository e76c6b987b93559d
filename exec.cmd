@rem Scripts of package.json begin with exec, so that signals for npm reach the program and not a shell. cmd.exe has none.
@%*
