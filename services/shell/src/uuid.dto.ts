/**
 * A UUID.
 * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$ must be a UUID
 * @format uuid
 */
export type Uuid = string;
