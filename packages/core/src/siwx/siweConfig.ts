/** Functions that sign an EVM account in (EIP-4361), in the format of older apps. */
export type SiweConfig = {
  getNonce(address?: string): Promise<string>
  createMessage(parameters: {
    address: string
    chainId: number
    nonce: string
    domain: string
    uri: string
    version: '1'
    iat: string
    statement?: string
  }): string
  verifyMessage(parameters: { message: string; signature: string }): Promise<boolean>
  getSession(): Promise<{ address: string; chainId: number } | null>
  signOut(): Promise<boolean>
  getMessageParams?(): Promise<{ domain?: string; uri?: string; statement?: string }>
  onSignIn?(session?: { address: string; chainId: number }): void
  onSignOut?(): void
  /** With `false`, users are not prompted to sign in. */
  enabled?: boolean
  required?: boolean
  signOutOnDisconnect?: boolean
  /**
   * With `true`, a sign-in counts for a single network. By default it counts for all networks, so
   * that switching prompts no one twice.
   */
  signOutOnNetworkChange?: boolean
  /**
   * These have no effect: each account signs in for itself, each message has a new nonce, and
   * sessions are refetched when the user returns to the page.
   */
  signOutOnAccountChange?: boolean
  nonceRefetchIntervalMs?: number
  sessionRefetchIntervalMs?: number
}
