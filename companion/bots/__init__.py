"""Players made of odds that take seats at the table, and the coach that advises people by the same odds."""
