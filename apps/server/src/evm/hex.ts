/** Bytes as a string: `0x` and hexadecimal digits. */
export type Hex = `0x${string}`

/** A number in the format of a JSON-RPC quantity: `0x` and digits without leading zeros. */
export const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`

export const bytesToHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`

export const hexToBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
