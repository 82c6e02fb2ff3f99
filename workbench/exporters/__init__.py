"""What other systems take, made of a cluster here."""
