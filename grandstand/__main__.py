"""`python -m grandstand` is the console command."""

from grandstand.main import app

app()
