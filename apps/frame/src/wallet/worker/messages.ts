import { walletAddresses, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import { recoveryBundle } from '../recovery/bundleSchema.ts'
import { evmTransaction } from '../sign/evmTransaction.ts'
import {
  ending,
  operationToSign,
  revocation,
  signedAuthorization,
} from '../sign/operationSchema.ts'
import { typedData } from '../sign/typedDataSchema.ts'

/**
 * The messages between the frame's page and its key worker. Nothing that signs or opens a wallet
 * goes from the worker to the page, with two exceptions that the user has to read: the phrase of an
 * export, and a kit before it is used.
 */

const nothing = z.strictObject({})
const base64url = (max: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]*$/), z.maxLength(max))
const hex = (max: number) => z.string().check(z.regex(/^0x([0-9a-f]{2})*$/), z.maxLength(max))
const randomId = z.string().check(z.regex(/^[0-9a-f]{32}$/))

const passkey = z.strictObject({
  kind: z.literal('passkey'),
  prf: base64url(64),
  credentialId: base64url(1364),
  label: z.optional(z.string().check(z.maxLength(64))),
})
const kit = z.strictObject({ kind: z.literal('kit'), kit: z.string().check(z.maxLength(100)) })
const kitText = z.strictObject({ kit: z.string().check(z.maxLength(100)) })
const factorSecret = z.discriminatedUnion('kind', [passkey, kit])
const factorSetup = z.discriminatedUnion('kind', [
  passkey,
  kit,
  z.strictObject({ kind: z.literal('operator') }),
])

/** The state of the user's wallet in this browser. */
const walletStatus = z.discriminatedUnion('status', [
  /** There is no wallet, and one can be created. `elsewhere`: another browser is creating one. */
  z.strictObject({ status: z.literal('none'), durable: z.boolean(), elsewhere: z.boolean() }),
  /** There is a wallet, but this browser does not hold it. */
  z.strictObject({
    status: z.literal('not-enrolled'),
    durable: z.boolean(),
    addresses: walletAddresses,
    /**
     * The realm of a wallet that this browser holds, and that has signed that this wallet is its
     * successor.
     */
    movedFrom: z.optional(walletRealm),
  }),
  z.strictObject({
    status: z.literal('ready'),
    durable: z.boolean(),
    addresses: walletAddresses,
    /** The account type according to the server; it is not signed. */
    accountType: z.optional(z.string().check(z.maxLength(20))),
    /** The server has no way of recovery for the wallet, and the account has not left it. */
    lacksRecovery: z.optional(z.literal(true)),
  }),
  z.strictObject({
    status: z.literal('quarantined'),
    durable: z.boolean(),
    reason: z.string(),
    addresses: z.optional(walletAddresses),
  }),
])
export type WalletStatus = z.infer<typeof walletStatus>

const enrolment = z.discriminatedUnion('status', [
  z.strictObject({ status: z.enum(['waiting', 'refused']) }),
  z.strictObject({ status: z.literal('met'), words: z.string() }),
  z.strictObject({ status: z.literal('enrolled'), addresses: walletAddresses }),
])
const enrollmentId = z.strictObject({ askId: randomId })

const addresses = z.strictObject({ addresses: walletAddresses })
const signature = z.strictObject({ signature: hex(132) })
const solanaSignature = z.strictObject({ signature: base64url(86) })

/** All key tasks by name: parameters and results. */
export const keyWork = {
  /** Reads the state, and finishes an interrupted change. */
  getStatus: { params: nothing, result: walletStatus },
  /** `isIncomplete`: the wallet was there before and lacks some of the factors. */
  create: {
    params: z.strictObject({ factors: z.array(factorSetup).check(z.maxLength(4)) }),
    result: z.strictObject({
      addresses: walletAddresses,
      isIncomplete: z.optional(z.literal(true)),
    }),
  },
  /** A new kit, to print before it is used. */
  createKit: { params: nothing, result: z.strictObject({ kit: z.string() }) },
  recheck: { params: nothing, result: walletStatus },
  /**
   * Recovers the wallet in `realm`. Without it, the factor determines the wallet that it opens, and
   * the operator recovers the wallet in use.
   */
  recover: {
    params: z.strictObject({ secret: factorSecret, realm: z.optional(walletRealm) }),
    result: addresses,
  },
  startAssisted: {
    params: z.strictObject({ realm: z.optional(walletRealm) }),
    result: z.strictObject({ id: randomId, secondsLeft: z.number() }),
  },
  finishAssisted: {
    params: z.strictObject({ id: randomId, realm: z.optional(walletRealm) }),
    result: z.union([z.strictObject({ secondsLeft: z.number() }), addresses]),
  },
  addFactor: { params: z.strictObject({ factor: factorSetup }), result: nothing },
  /** A new split for this device. */
  reshareKey: { params: nothing, result: addresses },
  /** A new key, and with `factors` a new recovery key that only these factors open. */
  rotate: {
    params: z.strictObject({
      factors: z.optional(z.array(factorSetup).check(z.minLength(1), z.maxLength(4))),
    }),
    result: addresses,
  },
  /** Removes a device, also from the wallet's signed list. */
  revoke: {
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) }),
    result: nothing,
  },
  /**
   * The wallet that this browser uses and the user's other wallet. `isMoved`: the older wallet has
   * signed that the newer wallet is its successor. The addresses of the other wallet are present if
   * this browser holds it; the addresses of a newer wallet only once the user has moved to it.
   */
  readWallets: {
    params: nothing,
    result: z.strictObject({
      durable: z.boolean(),
      isMoved: z.boolean(),
      inUse: z.strictObject({ walletId: randomId, realm: walletRealm, addresses: walletAddresses }),
      other: z.optional(
        z.strictObject({
          walletId: randomId,
          realm: walletRealm,
          isNewer: z.boolean(),
          isHeld: z.boolean(),
          addresses: z.optional(walletAddresses),
          dropAtMs: z.optional(z.number()),
        }),
      ),
    }),
  },
  /** Creates the wallet to move to, which only this kit recovers. */
  createReplacement: { params: kitText, result: nothing },
  /**
   * Checks the kit of the newer wallet, has both sign the move, and uses the newer wallet from now
   * on.
   */
  migrate: { params: kitText, result: addresses },
  /** Switches this browser to another wallet that it holds. */
  chooseWallet: { params: z.strictObject({ realm: walletRealm }), result: addresses },
  /** Deletes a wallet that is not in use, or requests its deletion. */
  dropOther: {
    params: z.strictObject({ walletId: randomId, realm: walletRealm }),
    result: z.strictObject({ secondsLeft: z.number() }),
  },
  /**
   * For a new device: `ask` requests the wallet; `poll` returns the progress; `confirm` and `drop`
   * are the user's answers about the words.
   */
  ask: { params: z.strictObject({ realm: z.optional(walletRealm) }), result: enrollmentId },
  poll: { params: enrollmentId, result: enrolment },
  confirm: { params: enrollmentId, result: nothing },
  drop: { params: enrollmentId, result: nothing },
  /** For an old device: answers a request. */
  meet: { params: enrollmentId, result: nothing },
  words: { params: enrollmentId, result: z.strictObject({ words: z.optional(z.string()) }) },
  approve: { params: enrollmentId, result: nothing },
  refuse: { params: enrollmentId, result: nothing },
  /** Loads what signing needs, while the user still holds the control. */
  prepareSigning: { params: nothing, result: nothing },
  signEvmMessage: { params: z.strictObject({ message: hex(262_146) }), result: signature },
  signTypedData: { params: z.strictObject({ data: typedData }), result: signature },
  signEvmTransaction: {
    params: z.strictObject({ transaction: evmTransaction }),
    result: z.strictObject({ raw: hex(1_000_000), hash: hex(66) }),
  },
  /**
   * A user operation of this wallet, and with `authorize` (its next nonce) its delegation to the
   * pinned contract.
   */
  signUserOperation: {
    params: operationToSign,
    result: z.strictObject({
      signature: hex(132),
      hash: hex(66),
      authorization: z.optional(signedAuthorization),
    }),
  },
  /** A transaction that ends the delegation, and does nothing else. */
  signRevocation: {
    params: z.strictObject({ transaction: revocation }),
    result: z.strictObject({ raw: hex(2_000), hash: hex(66) }),
  },
  /**
   * An authorization of the zero address, which ends the delegation on one network and does nothing
   * else.
   */
  signEnding: {
    params: ending,
    result: z.strictObject({ authorization: signedAuthorization }),
  },
  /**
   * The bytes of a message as base64url; 64 bytes of signature likewise. Bytes that could be a
   * transaction are refused.
   */
  signSolanaMessage: {
    params: z.strictObject({ message: base64url(100_000) }),
    result: solanaSignature,
  },
  /**
   * The signed parts of transactions as base64url. All are refused unless each matches its
   * `reviewed` text.
   */
  signSolanaTransactions: {
    params: z.strictObject({
      transactions: z
        .array(
          z.strictObject({
            message: base64url(1_644),
            reviewed: z.string().check(z.maxLength(20_000)),
          }),
        )
        .check(z.minLength(1), z.maxLength(50)),
    }),
    result: z.strictObject({ signatures: z.array(base64url(86)) }),
  },
  exportWords: {
    params: z.strictObject({
      confirm: z.literal('show the recovery phrase'),
      realm: z.optional(walletRealm),
    }),
    result: z.strictObject({ words: z.string() }),
  },
  bundle: { params: nothing, result: z.strictObject({ bundle: recoveryBundle }) },
  /** Deletes everything that this browser stores. */
  forget: { params: nothing, result: nothing },
} as const satisfies Record<string, { params: z.ZodMiniType; result: z.ZodMiniType }>

export type KeyWorkName = keyof typeof keyWork
export type WorkParams<W extends KeyWorkName> = z.output<(typeof keyWork)[W]['params']>
export type WorkResult<W extends KeyWorkName> = z.output<(typeof keyWork)[W]['result']>

const works = Object.keys(keyWork) as [KeyWorkName, ...KeyWorkName[]]

const id = z.int().check(z.positive())
const failure = z.strictObject({
  code: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** Page to worker. */
export const toWorker = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('work'),
    id,
    work: z.enum(works),
    params: z.unknown(),
    /** The account that has to act; any other is refused. */
    account: z.optional(walletAddresses.shape.eip155),
    /** The user of the session; a server that shows wallets of another user is not trusted. */
    userId: z.optional(z.string().check(z.maxLength(100))),
  }),
  z.strictObject({ kind: z.literal('answer'), id, result: z.unknown() }),
  z.strictObject({ kind: z.literal('refusal'), id, error: failure }),
])

/**
 * Worker to page. `call` has the page call the vault: the page has the session, and the worker has
 * no network.
 */
export const fromWorker = z.discriminatedUnion('kind', [
  /** `durable`: the worker's storage outlives it. */
  z.strictObject({ kind: z.literal('ready'), durable: z.boolean() }),
  z.strictObject({
    kind: z.literal('call'),
    id,
    path: z.string().check(z.regex(/^\/api\/[a-z/]{1,60}$/)),
    body: z.unknown(),
  }),
  z.strictObject({ kind: z.literal('done'), id, result: z.unknown() }),
  z.strictObject({ kind: z.literal('failed'), id, error: failure }),
])
export type ToWorker = z.infer<typeof toWorker>
export type FromWorker = z.infer<typeof fromWorker>

/** The functions that do the key tasks of these names. */
export type KeyWork<Names extends KeyWorkName = KeyWorkName> = {
  readonly [W in Names]: (params: WorkParams<W>) => Promise<WorkResult<W>>
}
