"""The verbs of the console command, one file each."""
