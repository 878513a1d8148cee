"""A mutation study of the tests: faults are drawn at random, and each is offered to the tests that may see it.

    python -m scripts.mutants draw --seed 1 --count 300 --out FOLDER
    python -m scripts.mutants run --in FOLDER --tests all
    python -m scripts.mutants table --in FOLDER

It is run by hand, after a change to many tests, and takes hours. A run that was interrupted goes on where it ended.
"""
