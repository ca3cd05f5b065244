/**
 * Every table by name. A room that owns tables declares their shapes here and makes them in a migration; kysely then
 * refuses a query that names a column the migration does not have.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms add their tables here
export interface Database {}
