/** Chain namespaces of the product (CAIP-104 names). */
export const namespaces = ['eip155', 'solana', 'polkadot', 'bip122'] as const
export type Namespace = (typeof namespaces)[number]

/** CAIP-2 chain id, as `eip155:31337`. */
export type ChainId = `${Namespace}:${string}`

/** CAIP-10 account id, as `eip155:31337:0x…`. */
export type CaipAddress = `${Namespace}:${string}:${string}`
