/**
 * Sends a request to a wallet or a node, by method and parameters. Resolves to the result, and
 * throws the error in the response.
 */
export type Request = (method: string, params?: readonly unknown[] | object) => Promise<unknown>
