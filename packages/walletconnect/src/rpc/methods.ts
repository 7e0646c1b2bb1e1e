import type { MethodName, RpcMethod } from './method.ts'
import { pairingDelete } from './pairingDelete.ts'
import { pairingPing } from './pairingPing.ts'
import { sessionAuthenticate } from './sessionAuthenticate.ts'
import { sessionDelete } from './sessionDelete.ts'
import { sessionEvent } from './sessionEvent.ts'
import { sessionExtend } from './sessionExtend.ts'
import { sessionPing } from './sessionPing.ts'
import { sessionPropose } from './sessionPropose.ts'
import { sessionRequest } from './sessionRequest.ts'
import { sessionSettle } from './sessionSettle.ts'
import { sessionUpdate } from './sessionUpdate.ts'

/**
 * Every method between two peers, by its name on the wire. Other methods get the error
 * UNSUPPORTED_WC_METHOD.
 */
export const rpcMethods = {
  wc_pairingDelete: pairingDelete,
  wc_pairingPing: pairingPing,
  wc_sessionAuthenticate: sessionAuthenticate,
  wc_sessionDelete: sessionDelete,
  wc_sessionEvent: sessionEvent,
  wc_sessionExtend: sessionExtend,
  wc_sessionPing: sessionPing,
  wc_sessionPropose: sessionPropose,
  wc_sessionRequest: sessionRequest,
  wc_sessionSettle: sessionSettle,
  wc_sessionUpdate: sessionUpdate,
} as const satisfies Record<MethodName, RpcMethod>

/** Whether a string is the name of a method of the protocol. */
export const isMethodName = (text: string): text is MethodName => Object.hasOwn(rpcMethods, text)
