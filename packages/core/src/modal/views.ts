import type {
  ChainId,
  HistoryTransaction,
  Namespace,
  PaymentMethod,
  SocialProvider,
} from '@latchkey/wire'
import type { SignatureReview } from '../namespaces/signatureReview.ts'
import type { TransactionReview } from '../namespaces/transactionReview.ts'

/** A request that was sent in the click that led to a view. */
export type WalletRequest = {
  readonly answer: Promise<unknown>
  /** Aborted when the response is no longer needed. */
  readonly signal: AbortSignal
  readonly leave: () => void
}

/**
 * All views of the modal, with the data they need. `needsAccount` has core's other facts about a
 * view, and react's `modal/views` has its component.
 */
export type View =
  | { name: 'Connect' }
  | { name: 'AllWallets' }
  /** A wallet that several connectors reach, one for each of its namespaces. */
  | { name: 'ConnectNamespaces'; connectorIds: readonly string[] }
  | { name: 'ConnectingExternal'; connectorId: string; request?: WalletRequest }
  /** `walletId` is a wallet's id in the directory. */
  | { name: 'ConnectingWalletConnect'; walletId: string; request?: WalletRequest }
  | { name: 'ConnectingWalletConnectBasic' }
  /** The user has to open the link in the email; the rest is in the state's `login`. */
  | { name: 'EmailVerifyDevice' }
  | { name: 'EmailVerifyOtp' }
  | { name: 'ConnectSocials' }
  /**
   * `isClosed`: whether the provider's window is closed, as far as the browser reports it; absent
   * if the browser did not open it. `isRefused`: the provider does not allow sign-ins in the app
   * that shows this page. `inTab`: the page itself navigates to the provider.
   */
  | {
      name: 'ConnectingSocial'
      provider: SocialProvider
      isClosed?: () => boolean
      isRefused?: true
      inTab?: true
      request?: WalletRequest
    }
  | { name: 'ConnectingFarcaster' }
  /** Shown below the secure frame while the user decides there. */
  | { name: 'ApproveTransaction' }
  | { name: 'AccountSettings' }
  /** The connected wallets with their accounts; a click puts one in use. */
  | { name: 'ConnectedWallets' }
  | { name: 'UpdateEmail' }
  | { name: 'UpdateEmailPrimaryOtp' }
  | { name: 'UpdateEmailSecondaryOtp' }
  | { name: 'Account'; tab?: AccountTab }
  | { name: 'Transactions' }
  /** A transaction of the account, in the state in which a list showed it. */
  | { name: 'ActivityDetail'; transaction: HistoryTransaction }
  | { name: 'Networks' }
  | { name: 'SwitchNetwork'; chainId: ChainId; request?: WalletRequest }
  | { name: 'UnsupportedChain' }
  /** Prompts the account to sign in. While a sign-in is required, the modal does not close. */
  | { name: 'SIWXSignMessage'; isRequired: boolean }
  /** Prompts the account to sign in with the functions of `signIn.siwe`. */
  | { name: 'ConnectingSiwe'; isRequired: boolean }
  /** The account's sign-ins, with sign-out. */
  | { name: 'SignIns' }
  /** `draft` replaces the form's input when the modal opens on this view. It sends nothing. */
  | { name: 'Send'; draft?: SendDraft }
  | { name: 'SendSelectToken' }
  | { name: 'SendPreview' }
  /**
   * `sent` is the asset with its amount, unless it is a single NFT, and the receiver. `draft` is
   * the sent draft, offered again if the transaction expires.
   */
  | {
      name: 'SendConfirmed'
      hash: string
      sent?: {
        asset: { amount?: string; name: string }
        to: string
        name?: string | undefined
      }
      draft?: SendDraft
    }
  /** The input is in the state's `swapDraft`. */
  | { name: 'Swap' }
  | { name: 'SwapSelectToken'; side: 'from' | 'to' }
  | { name: 'SwapPreview' }
  /** `swapped` has both amounts; the received amount is an estimate. */
  | { name: 'SwapConfirmed'; hash: string; swapped?: SwappedAmounts }
  /** The status of a batch of calls, with its amounts if it is a swap. */
  | { name: 'CallsStatus'; id: string; namespace: Namespace; swapped?: SwappedAmounts }
  /** A token that the account holds. */
  | { name: 'TokenDetail'; token: TokenRef }
  | { name: 'NftDetail'; nft: NftRef }
  /** The input is in the state's `sendDraft`. */
  | { name: 'SendNft'; nft: NftRef }
  | { name: 'SendNftPreview'; nft: NftRef; amount: string; receiver: Receiver }
  /** A request of a page for the wallet to sign. Leaving the view rejects it. */
  | {
      name: 'ReviewTransaction'
      reading: Promise<TransactionReview | SignatureReview>
      approve: () => void
    }
  | { name: 'Receive' }
  /** The input is in the state's `buyDraft`. */
  | { name: 'Buy' }
  /** `isFromForm`: a choice returns to the form that opened the list; otherwise Buy follows. */
  | { name: 'OnRampProviders'; isFromForm?: true }
  | { name: 'OnRampTokenSelect' }
  | { name: 'OnRampFiatSelect' }
  /** `isBlocked`: the browser did not open the checkout's window. */
  | { name: 'BuyInProgress'; orderId: string; isBlocked?: true }
  /** The allowances that the account has granted. */
  | { name: 'Allowances' }
  /** The permissions that the account has granted to the app. */
  | { name: 'SmartSessionList' }
  /** The names of the account. */
  | { name: 'Names' }
  | { name: 'NameDetail'; accountName: string }
  | { name: 'RegisterAccountName' }
  | { name: 'RegisterAccountNameSuccess'; accountName: string }
  | { name: 'WhatIsAWallet' }
  | { name: 'WhatIsANetwork' }
  | { name: 'GetAWallet' }
  | { name: 'Downloads'; walletId: string }

/** Amounts as they are shown, with their symbols. */
export type SwappedAmounts = { paid: ShownAmount; received: ShownAmount }

type ShownAmount = { value: string; unit: string }

/** The token: `address` is CAIP-10, absent for the network's native currency. */
export type TokenRef = { chainId: ChainId; address?: string }

/** The NFT: `contract` is the address alone, `tokenId` a decimal string. */
export type NftRef = { chainId: ChainId; contract: string; tokenId: string }

/** A receiver: an address, with the name and picture that it was found by. */
export type Receiver = {
  /** Empty while the name is not resolved. */
  address: string
  name?: string | undefined
  imageUrl?: string | undefined
}

/** The send form; kept in state so that nothing is lost when the user leaves the view. */
export type SendDraft = {
  /** CAIP-10 of the token, or `native`. */
  token?: string
  /**
   * Decimal string in whole tokens; empty while unknown, and the raw input if it is not an amount.
   */
  amount: string
  /** As typed, or the address of the name. */
  receiverAddress: string
  /** The name that the user typed instead of an address, and its picture. */
  receiverProfileName?: string | undefined
  receiverProfileImage?: string | undefined
  /** The confirmation speed; `normal` by default. */
  speed?: 'slow' | 'normal' | 'fast'
  /** Whether small coins that may hold inscriptions are spent too. */
  smallCoins?: boolean
  /**
   * The form for an NFT, separate from the token form: the NFT, the amount as typed, and the
   * receiver.
   */
  nft?: NftRef & { amount: string; receiver: Receiver }
}

/**
 * The form of a purchase; kept in state so that nothing is lost when the user leaves the view. If a
 * field is absent, the first available option is used.
 */
export type BuyDraft = {
  /** As typed: decimal string in the currency. */
  amount: string
  /** `native`, or the contract or mint of a token. */
  asset?: string
  currency?: string
  method?: PaymentMethod
  provider?: string
}

/** A token of the swap form. Without an address it is the network's native currency. */
export type SwapToken = {
  address?: string
  symbol: string
  decimals: number
  name: string
  iconUrl: string
  /** The token is on none of the network's lists, so anyone may have chosen its name. */
  isUnlisted?: boolean
}

/**
 * The swap form; kept in state so that nothing is lost when the user leaves the view. It is reset
 * on another network.
 */
export type SwapDraft = {
  from?: SwapToken | undefined
  to?: SwapToken | undefined
  /** As typed: decimal string in whole tokens. */
  amount: string
  /** The amount is the maximum that can be swapped for `to`, which decides who pays the fee. */
  isMax?: true | undefined
  /** In per cent. */
  slippage: number
}

export type ViewName = View['name']
export type AccountTab = 'tokens' | 'nfts' | 'activity'

/**
 * Whether a view makes sense only with a connected account; the modal closes on it when the account
 * is disconnected.
 */
export const needsAccount: Readonly<Record<ViewName, boolean>> = {
  Connect: false,
  AllWallets: false,
  ConnectNamespaces: false,
  ConnectingExternal: false,
  ConnectingWalletConnect: false,
  ConnectingWalletConnectBasic: false,
  EmailVerifyDevice: false,
  EmailVerifyOtp: false,
  ConnectSocials: false,
  ConnectingSocial: false,
  ConnectingFarcaster: false,
  ApproveTransaction: true,
  AccountSettings: true,
  ConnectedWallets: true,
  UpdateEmail: true,
  UpdateEmailPrimaryOtp: true,
  UpdateEmailSecondaryOtp: true,
  Account: true,
  Transactions: true,
  ActivityDetail: true,
  Networks: true,
  SwitchNetwork: true,
  UnsupportedChain: true,
  SIWXSignMessage: true,
  ConnectingSiwe: true,
  SignIns: true,
  Send: true,
  SendSelectToken: true,
  SendPreview: true,
  SendConfirmed: true,
  Swap: true,
  SwapSelectToken: true,
  SwapPreview: true,
  SwapConfirmed: true,
  CallsStatus: true,
  TokenDetail: true,
  NftDetail: true,
  SendNft: true,
  SendNftPreview: true,
  // Closes automatically when its account is disconnected.
  ReviewTransaction: false,
  Receive: true,
  Buy: true,
  OnRampProviders: true,
  OnRampTokenSelect: true,
  OnRampFiatSelect: true,
  BuyInProgress: true,
  Allowances: true,
  SmartSessionList: true,
  Names: true,
  NameDetail: true,
  RegisterAccountName: true,
  RegisterAccountNameSuccess: true,
  WhatIsAWallet: false,
  WhatIsANetwork: false,
  GetAWallet: false,
  Downloads: false,
}
