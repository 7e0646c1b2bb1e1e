/** Signing in with an EVM account (EIP-4361), as apps configured it before there was `siwx`. */
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
  required?: boolean
  signOutOnDisconnect?: boolean
}
