// Types for the parts of bitcore-lib that we use; it ships without types.
declare module 'bitcore-lib' {
  export class Script {
    constructor(bytes: Buffer)
  }
  export namespace Script {
    class Interpreter {
      static readonly SCRIPT_VERIFY_P2SH: number
      static readonly SCRIPT_VERIFY_DERSIG: number
      static readonly SCRIPT_VERIFY_STRICTENC: number
      static readonly SCRIPT_VERIFY_LOW_S: number
      static readonly SCRIPT_VERIFY_NULLDUMMY: number
      static readonly SCRIPT_VERIFY_MINIMALDATA: number
      static readonly SCRIPT_VERIFY_CHECKLOCKTIMEVERIFY: number
      static readonly SCRIPT_VERIFY_CHECKSEQUENCEVERIFY: number
      static readonly SCRIPT_VERIFY_WITNESS: number
      static readonly SCRIPT_VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM: number
      static readonly SCRIPT_VERIFY_NULLFAIL: number
      static readonly SCRIPT_VERIFY_WITNESS_PUBKEYTYPE: number
      static readonly SCRIPT_VERIFY_TAPROOT: number
      errstr: string
      verify(
        scriptSig: Script,
        scriptPubkey: Script,
        transaction: Transaction,
        index: number,
        flags: number,
        witness: readonly Buffer[],
        satoshis: number,
      ): boolean
    }
  }
  export class Transaction {
    constructor(bytes: Buffer)
    inputs: { script: Script; output?: Transaction.Output }[]
  }
  export namespace Transaction {
    class Output {
      constructor(parameters: { script: Script; satoshis: number })
    }
  }
}
