"""Letters of people and of language models to a talking bot: parsing and answers."""
