"""The one door for every interface: use cases, and the assembly of the parts they run on."""
