import { isError, LatchkeyError } from '@latchkey/wire'

const reasons = {
  locked: 'The Ledger is locked. Enter its PIN, then try again',
  otherApp: 'Open the Ethereum app on the Ledger, then try again',
  unplugged: 'The Ledger is not connected. Plug it in, unlock it, then try again',
  inUse: 'Another page or program uses the Ledger. Close it, then try again',
  needsBlindSigning:
    'The Ledger cannot show this by itself. Allow blind signing in the settings of its Ethereum app, then try again',
} as const
type Reason = keyof typeof reasons

/** Status words (ISO 7816) of the device's system and of its Ethereum app. */
const statusReasons: ReadonlyMap<number, Reason> = new Map([
  [0x5515, 'locked'],
  [0x6804, 'locked'],
  [0x6b0c, 'locked'],
  [0x6982, 'locked'],
  [0x650f, 'otherApp'],
  [0x6511, 'otherApp'],
  [0x6d00, 'otherApp'],
  [0x6d02, 'otherApp'],
  [0x6e00, 'otherApp'],
  [0x6e01, 'otherApp'],
  [0x6a80, 'needsBlindSigning'],
])
const refusals: readonly number[] = [0x6985, 0x5501]

/** Errors of Ledger's packages and of the browser, by their names. */
const nameReasons: Readonly<Record<string, Reason>> = {
  LockedDeviceError: 'locked',
  DisconnectedDevice: 'unplugged',
  DisconnectedDeviceDuringOperation: 'unplugged',
  NotFoundError: 'unplugged',
  NetworkError: 'unplugged',
  InvalidStateError: 'inUse',
  NotAllowedError: 'inUse',
  EthAppPleaseEnableContractData: 'needsBlindSigning',
  CeloAppPleaseEnableContractData: 'needsBlindSigning',
}

/** The status word of the device's response, if it is an error. */
export const getStatusWord = (error: unknown): number | undefined => {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' ? statusCode : undefined
}

/**
 * Converts errors of the device and its packages to USER_REJECTED, or to WALLET_NOT_READY with what
 * to do. The original error is the cause.
 */
export function toLedgerError(error: unknown): LatchkeyError {
  if (isError(error)) return error
  const status = getStatusWord(error)
  if (status !== undefined && refusals.includes(status))
    return new LatchkeyError('USER_REJECTED', { cause: error })
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown }
  const known = (status !== undefined && statusReasons.get(status)) || nameReasons[String(name)]
  const code = status === undefined ? '' : ` (0x${status.toString(16)})`
  const reason = known ? reasons[known] : `The Ledger did not do it${code}: ${String(message)}`
  return new LatchkeyError('WALLET_NOT_READY', { data: { reason }, cause: error })
}
