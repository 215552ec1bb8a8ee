/** SQL: by how much clocks may have been set back at most. */
export const setBack = "interval '24 hours'";
