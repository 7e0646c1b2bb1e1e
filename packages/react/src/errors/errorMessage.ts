import { type AlertCode, getAlertText, isError, type LatchkeyError } from '@latchkey/wire'
import { useMemo } from 'react'
import { useLatchkey } from '../app/context.ts'
import { type ErrorKey, fillText } from '../locales/createT.ts'

const app = 'This app and your wallet did not understand each other. Reload the page and try again'
const network = 'The network cannot be reached. Try again in a moment'
const server = 'The server sent something unexpected. Try again in a moment'
const setup = 'This app is not set up correctly. Its maker has to fix it'
const tooMany = 'Too many requests at once. Wait a moment and try again'

/**
 * The messages for people of errors whose own message is for developers. All other messages are for
 * both; an app translates any of them by its key.
 */
const plainMessages: Partial<Readonly<Record<ErrorKey, string>>> = {
  'error.UNSUPPORTED_METHOD': 'Your wallet can’t do this',
  'error.PARSE_ERROR': app,
  'error.INVALID_REQUEST': app,
  'error.METHOD_NOT_FOUND': 'Your wallet can’t do this',
  'error.RPC_VERSION_UNSUPPORTED': app,
  'error.RPC_METHOD_UNSUPPORTED': 'The network can’t do this',
  'error.NOT_CONNECTED': 'Connect a wallet first',
  'error.INVALID_CAIP_ADDRESS': 'This is not a valid address',
  'error.INVALID_CAIP10_ADDRESS': 'This is not a valid address',
  'error.INVALID_CAIP2_NETWORK_ID': 'This is not a valid network',
  'error.INVALID_CHAIN_ID': 'This is not a valid network',
  'error.NO_ADAPTER': 'This app does not support this kind of wallet',
  'error.NAMESPACE_NOT_CONFIGURED': 'This app does not support this kind of wallet',
  'error.NO_RPC_URL': 'This app cannot reach this network',
  'error.RPC_UNAVAILABLE': network,
  'error.RPC_CHAIN_WRONG': 'This app has the address of another network. Its maker has to fix it',
  'error.NO_CHAINS_ON_CONNECTOR': 'Your wallet does not support the networks of this app',
  'error.RELAY_TOKEN_INVALID': app,
  'error.ENVELOPE_INVALID': app,
  'error.NOT_INITIALIZED': app,
  'error.NO_MATCHING_KEY': 'The connection to your wallet has ended. Connect again',
  'error.MISSING_OR_INVALID': app,
  'error.EXPIRED': 'The connection to your wallet has expired. Connect again',
  'error.NON_CONFORMING_NAMESPACES': 'Your wallet did not allow what this app needs. Connect again',
  'error.METHOD_NOT_APPROVED': 'Your wallet has not allowed this. Connect again to allow it',
  'error.CHAIN_NOT_APPROVED': 'Your wallet has not allowed this network. Connect again to allow it',
  'error.PAIRING_EXISTS': 'This connection is already open. Start a new one in the app',
  'error.MISSING_CAPABILITIES_ADDRESS': app,
  'error.USER_OPERATION_FAILED': 'The network has not confirmed it. Look at your activity',
  'error.PROOF_NONCE_NEEDED': server,
  'error.PROOF_INVALID': server,
  'error.HISTORY_ADDRESS_MISSING': 'Connect a wallet first',
  'error.HTTP_FAILED': 'The server has a problem ({status}). Try again in a moment',
  'error.ANSWER_INVALID': server,
  'error.ABORTED': 'This was stopped',
  'error.USER_REJECTED': 'You declined the request',
  'error.UPGRADE_REJECTED': 'You declined the smart account that this needs',
  'error.USER_DISCONNECTED': 'Your wallet has disconnected',
  'error.INVALID_PARAMS': 'The app sent an invalid request: {reason}',
  'error.RESOURCE_NOT_FOUND': 'This could not be found',
  'error.LIMIT_EXCEEDED': tooMany,
  'error.CHANNEL_BUSY': tooMany,
  'error.ORIGIN_NOT_ALLOWED': setup,
  'error.INVALID_ADDRESS': 'This is not a valid address',
  'error.CHAIN_NOT_SUPPORTED': 'Your wallet or this app does not support this network',
  'error.UNSUPPORTED_CHAIN':
    'Your wallet is on a network that this app does not support. Switch to another',
  'error.CHAIN_NOT_SWITCHED':
    'Your wallet did not switch networks. Choose the network in your wallet',
  'error.PROPOSAL_EXPIRED': 'This took too long. Start a new connection',
  'error.CALL_STATUS_NOT_APPROVED':
    'Your wallet does not share the status of this. Look in your wallet',
  'error.VAULT_NOT_FOUND': 'There is no wallet here',
}

/** The languages of an app, from the provider. */
type Language = Pick<ReturnType<typeof useLatchkey>, 'locale' | 'messages'>

/**
 * Returns the message of an error for people: the app's message of its code, else English. The
 * server's or the wallet's own reason is part of it if there is one.
 */
export function getErrorMessage(error: unknown, { locale, messages }: Language): string {
  if (!isError(error)) return error instanceof Error ? error.message : String(error)
  const key: ErrorKey = `error.${error.code}`
  const data: Readonly<Record<string, string | number>> = error.data
  const isTranslated = messages[key] !== undefined
  const own = messages[key] ?? plainMessages[key]
  const text = own === undefined ? error.message : fillText(own, { locale, fill: data })
  const { reason } = data
  if (isError(error, 'HTTP_FAILED') && typeof reason === 'string')
    return isTranslated ? `${text}: ${reason}` : reason
  const { cause } = error
  // The wallet's own message, because the error itself is generic.
  const isExplained = isError(error, 'SEND_FAILED') && isError(cause) && cause.code !== 'INTERNAL'
  return isExplained && cause.message ? `${text}: ${cause.message}` : text
}

/** Returns the second sentence of an alert: the app's message of its code, else English. */
export function getAlertMessage(
  error: LatchkeyError<AlertCode>,
  { locale, messages }: Language,
): string {
  const own = messages[`alert.${error.code}`]
  return own === undefined ? getAlertText(error) : fillText(own, { locale, fill: error.data })
}

/** Returns the function that writes errors for people in the app's language. */
export function useErrorMessage(): (error: unknown) => string {
  const { locale, messages } = useLatchkey()
  return useMemo(() => (error) => getErrorMessage(error, { locale, messages }), [locale, messages])
}
