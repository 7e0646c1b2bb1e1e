/*
 * The messages that the wallet's EVM key signs for the vault. The digest is keccak-256 of the UTF-8
 * bytes. All messages begin with `latchkey `: neither EIP-191 data (0x19) nor a transaction (RLP,
 * or a type below 0x05) begins like this, so no app can have such a message signed.
 */

/** The message to sign for a manifest. */
export const manifestMessage = (text: string): string => `latchkey manifest v1\n${text}`

/** The message that both wallets sign for a move. */
export const moveMessage = (text: string): string => `latchkey move v1\n${text}`

/**
 * The message that a device signs to commit a change. `deviceThumb`: RFC 7638 thumbprint of its
 * session key.
 */
export const commitMessage = (change: {
  readonly walletId: string
  readonly changeId: string
  readonly epoch: number
  readonly deviceId: string
  readonly deviceThumb: string
}): string =>
  `latchkey commit v1\n${JSON.stringify([
    change.walletId,
    change.changeId,
    change.epoch,
    change.deviceId,
    change.deviceThumb,
  ])}`
