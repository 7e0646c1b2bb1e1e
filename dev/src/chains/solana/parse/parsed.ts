/** What a program's instruction says, as a node's `jsonParsed` has it. */
export type Parsed = { readonly type: string; readonly info: Record<string, unknown> } | string
