import type { ChainId, Namespace } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { AccountType } from '../state.ts'

export type Request = (method: string, params?: readonly unknown[] | object) => Promise<unknown>

/** What a chain can do; a view shows an action only when the chain has it. */
export type Capability =
  | 'balance'
  | 'send'
  | 'signMessage'
  | 'signTypedData'
  | 'switchNetwork'
  | 'names'
  | 'activity'
  | 'onramp'

/**
 * A token as sending needs it; no address means the network's own currency. With `nft` it is that one of the contract
 * at `address`; its `decimals` are 0.
 */
export type SendToken = {
  address?: string
  symbol: string
  decimals: number
  /** `tokenId` is a decimal string. */
  nft?: { standard: 'erc721' | 'erc1155'; tokenId: string }
}

export type SendPlan = {
  /** Worst-case fee in the network's smallest unit. */
  feeWei: bigint
  /** What leaves, in the token's smallest unit. */
  amountWei: bigint
  /** What was checked; sending it under another account or network is refused. */
  chainId: ChainId
  from: string
  to: string
  token: SendToken
  /** Whether an NFT goes to a contract, which may have no way to pass it on. */
  isToContract?: boolean
  /** What goes to the wallet, ready to be sent. */
  submit(): Promise<string>
}

export type SendQuestion = {
  wallet: Request
  node: Request
  network: Network
  from: string
  /** Smart accounts skip the fee check (spec §5). */
  accountType: AccountType
  to: string
  /** Decimal string in whole tokens. */
  amount: string
  token: SendToken
}

/** One namespace's rules. Pure: it is handed a `wallet` and a `node` request and keeps nothing. */
export type Chain = {
  readonly namespace: Namespace
  readonly can: ReadonlySet<Capability>
  isAddress(address: string): boolean
  /** An address as people compare it, with its checksum where there is one. Throws INVALID_ADDRESS. */
  formatAddress(address: string): string
  /** Native balance in the smallest unit. */
  balance(parameters: { node: Request; address: string }): Promise<bigint>
  /** Checks the draft against balance and fee, and prepares it. Throws INVALID_SEND_INPUT, INVALID_ADDRESS, INSUFFICIENT_FUNDS, INSUFFICIENT_GAS. */
  prepareSend(parameters: SendQuestion): Promise<SendPlan>
  /** The most that can be sent, in the token's smallest unit: of the native currency what the fee leaves. */
  maxSend(parameters: Omit<SendQuestion, 'amount' | 'wallet'>): Promise<bigint>
  signMessage(parameters: { wallet: Request; address: string; message: string }): Promise<string>
  signTypedData?(parameters: {
    wallet: Request
    address: string
    chainId: ChainId
    typedData: unknown
  }): Promise<string>
  /** Asks the wallet to change network; adds the network when the wallet does not know it. */
  switchTo?(parameters: { wallet: Request; network: Network; rpcUrl: string }): Promise<void>
  /** Whether the network calls the transaction's block final; false where the node does not say. */
  isFinal(parameters: { node: Request; hash: string }): Promise<boolean>
  /** Resolves once the transaction is in a block. */
  waitForTransaction(parameters: {
    node: Request
    hash: string
    signal: AbortSignal
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  }): Promise<{ status: 'success' | 'reverted' }>
}
