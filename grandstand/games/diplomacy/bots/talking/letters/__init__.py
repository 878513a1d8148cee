"""The letters of people and of language models to a talking bot: what they mean, and what is answered."""
