/*
 * What the wallet's EVM key signs for the vault; its digest is keccak-256 of the UTF-8 bytes. The texts begin with `latchkey `:
 * neither EIP-191 (0x19) nor a transaction (RLP, or a type below 0x05) can be one of them, so no app can have one signed.
 */

/** The text signed for a manifest. */
export const manifestMessage = (text: string): string => `latchkey manifest v1\n${text}`

/** The text that both wallets sign when one follows the other. */
export const moveMessage = (text: string): string => `latchkey move v1\n${text}`

/**
 * The text a device signs to commit a change. `deviceThumb`: RFC 7638 thumbprint of its session
 * key.
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
