"""Question -> Answer or Refusal. Pure: it receives ports and values."""
