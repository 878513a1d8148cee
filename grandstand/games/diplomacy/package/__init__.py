"""The client protocol of the `diplomacy` package, for observers. It was written from the messages, without the
package's code."""
