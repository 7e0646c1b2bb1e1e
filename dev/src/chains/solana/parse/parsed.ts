/** A decoded instruction in the form of a node's `jsonParsed`. */
export type Parsed = { readonly type: string; readonly info: Record<string, unknown> } | string
