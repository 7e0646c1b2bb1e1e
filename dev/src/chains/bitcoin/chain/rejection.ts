/** Why a node refuses a transaction: its reason and the code of its RPC. */
export class Rejection extends Error {
  readonly code: number
  constructor(message: string, code = -26) {
    super(message)
    this.code = code
  }
}
