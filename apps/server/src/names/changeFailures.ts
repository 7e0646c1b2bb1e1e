import { badRequest, type Failure } from '../http/failure.ts'

/** The failure of a change by an account that does not own the name. */
export const notOwner: Failure = {
  status: 401,
  field: 'address',
  description: 'The name belongs to another account',
}
/** The failure of a registration of a name that is reserved or too similar to a registered name. */
export const taken = badRequest('name', 'The name is taken, or too similar to one that is')
/** The failure of a message that was used before. */
export const usedMessage = badRequest('timestamp', 'This message was used before. Sign a new one')
/** The failure of an account that has as many names as it may have. */
export const tooManyNames = badRequest('address', 'This account has ten names: release one first')
