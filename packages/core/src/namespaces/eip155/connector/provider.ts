import type { ConnectorInfo } from '../../../state.ts'

/** A browser wallet's provider (EIP-1193). Everything from it is untrusted until it is parsed. */
export type InjectedProvider = {
  request(parameters: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** Whether a value looks like a provider. */
export const isProvider = (value: unknown): value is InjectedProvider =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { request?: unknown }).request === 'function'

/** Requests accounts (EIP-1102); a wallet that already allows some does not prompt. */
export const accountsRequest = { method: 'eth_requestAccounts' } as const

/** Lets the user choose accounts, even if the wallet already allows some (EIP-2255). */
export const choiceRequest = {
  method: 'wallet_requestPermissions',
  params: [{ eth_accounts: {} }],
} as const

export type Eip1193Parameters = {
  info: ConnectorInfo
  /** Read at each use: a provider may appear late. */
  provider: () => InjectedProvider | undefined
  /** Calls `follow` whenever `provider` is replaced; returns the function that stops this. */
  onReplaced?: (follow: () => void) => () => void
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
