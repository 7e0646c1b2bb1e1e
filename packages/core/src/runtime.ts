import type { ChainId, Namespace, SupportedChains } from '@latchkey/wire'
import type { ActivityListener } from './activity/activityNews.ts'
import type { EventQueue } from './analytics/countedEvent.ts'
import type { WalletMessage } from './connection/connectors/connector.ts'
import type { FrameContainer, SecureFrame } from './embedded/frame/frame.ts'
import type { LoadedActions } from './namespaces/actions.ts'
import type { Request } from './namespaces/request.ts'
import type { Connected } from './state.ts'

/**
 * Work in progress. It is not part of the state, because no view shows it, and it ends with the
 * app.
 */
export type Runtime = {
  /**
   * Counts the changes of a namespace's connection; work begun under an older number must not
   * write.
   */
  readonly attempts: Record<Namespace, number>
  /**
   * Counts the requested network switches and records the newest that succeeded, so that an older
   * switch cannot undo it.
   */
  readonly switches: { started: number; done: number }
  /** Counts the user's choices of a wallet, so that an older choice cannot undo a newer. */
  walletChoices: number
  /** Aborts the current attempt to connect in a namespace. */
  readonly connecting: Partial<Record<Namespace, AbortController>>
  /** The connection before the current attempt; it is restored if the attempt fails. */
  readonly before: Partial<Record<Namespace, Connected>>
  reconnecting: boolean
  /**
   * Searches that are held back until a list of wallets is shown, and the promise of all searches
   * once they run.
   */
  readonly searches: {
    readonly held: (() => Promise<void>)[]
    started?: Promise<unknown>
  }
  /** Whether the app listens to the connected wallets. */
  watching: boolean
  /** Listeners for wallet events that are not part of the state. */
  walletListeners: Set<(message: WalletMessage) => void>
  /** Connectors that the app also listens to, because an approval may still arrive. */
  readonly awaited: Set<string>
  /** The secure frame, from the first request for it until its document is unloaded. */
  frame?: Promise<SecureFrame> | undefined
  /** The frame's element in the page, which stays. */
  framePlace?: FrameContainer
  /** The question for a way of recovery, and the addresses of the wallet that it was for. */
  recoveryQuestion?:
    | { readonly addresses: readonly string[]; readonly answered: Promise<void> }
    | undefined
  /** Closings that the frame has not confirmed. */
  frameCloses: number
  /**
   * The transaction stack: each request that waits for an approval, by the function that cancels
   * it.
   */
  readonly transactions: Set<AbortController>
  toastId: number
  toastTimer?: ReturnType<typeof setTimeout>
  readonly alertsShown: Set<string>
  /** The actions of each namespace, from when they are first needed. */
  readonly actions: Map<Namespace, Promise<LoadedActions>>
  /** A node client per network, so that simultaneous reads are sent together. */
  readonly nodes: Map<ChainId, Request>
  /** Reads in progress, by key: simultaneous requests for the same read share it. */
  readonly reads: Map<string, Promise<unknown>>
  /**
   * Ids of pictures in the directory by the rdns of their wallets, as far as the server has listed
   * them.
   */
  readonly imageIds: Map<string, string>
  /** Networks that the server does not support. */
  readonly unknownNetworks: Set<ChainId>
  /** The listeners of the account's activity, and a function that stops listening. */
  readonly activity: {
    readonly watchers: Set<ActivityListener>
    stop?: (() => void) | undefined
  }
  /**
   * Whether the user has been notified that transactions cannot be fetched. Not repeated until a
   * fetch succeeds.
   */
  isHistoryFailureShown: boolean
  /** Accounts that have been prompted to sign in, once signing in runs. */
  askedToSignIn?: Set<string>
  /** The key of the sign-in that is being ended, before its account is disconnected. */
  signingOut?: string
  /** Whether the swap form is kept in the tab, from when it was first shown. */
  keepsSwapDraft?: boolean
  /** The queue of events, from the first event on; undefined if the server collects no events. */
  analytics?: Promise<EventQueue | undefined>
  /** The server's table of areas, once it was requested. */
  supported?: Promise<SupportedChains> | undefined
}
