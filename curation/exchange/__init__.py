"""Problems from files and to files: reading, the plan of an import, carrying it out, exporting."""
