import type { GcmSealed, HpkeSealed, WalletMove } from '@latchkey/wire'
import type { ColumnType } from 'kysely'

/** A JSON column: read as a value, written as a string. */
type Json<T> = ColumnType<T, string, string>

type VaultUserTable = {
  user_id: string
  /** The user's data key, wrapped with the KMS key `key_id`. */
  key_wrapped: Uint8Array
  key_id: string
  created_at: Date
}

type WalletRole = 'current' | 'other'

type WalletTable = {
  id: string
  user_id: string
  realm: string
  epoch: number
  eip155: string
  solana: string
  recovery_key: string
  manifest: string
  manifest_signature: string
  manifest_version: number
  sealed_seed: Json<GcmSealed>
  created_at: Date
  /**
   * Whether this is the wallet in use or the user's other wallet; null while the two change places.
   */
  place: ColumnType<WalletRole | null, WalletRole | undefined, WalletRole | null>
  /** When a device that does not hold it may drop it, if a device has requested that. */
  drop_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** How its EVM account sends; null until the user has chosen. */
  account_type: ColumnType<
    'eoa' | 'smartAccount' | null,
    'eoa' | 'smartAccount' | null | undefined,
    'eoa' | 'smartAccount' | null
  >
}

/**
 * A prepared or committed change. `device_id` may commit it. `creates` is true until a new wallet
 * is committed.
 */
type WalletChangeTable = {
  id: string
  wallet_id: string
  user_id: string
  realm: string
  device_id: string
  creates: boolean
  digest: Uint8Array
  body: Json<StoredChange>
  created_at: Date
  expires_at: Date
  committed_at: Date | null
}

/**
 * A change that waits for its commit. Shares and the operator's recovery key are encrypted already;
 * bytes are base64url.
 */
export type StoredChange = {
  readonly epoch: number
  readonly manifestVersion: number
  readonly deviceKey: string
  readonly addresses: { readonly eip155: string; readonly solana: string }
  readonly manifest: { readonly text: string; readonly signature: string }
  readonly seal?: { readonly recoveryKey: string; readonly sealedSeed: GcmSealed } | undefined
  readonly slots: readonly {
    readonly slot: string
    readonly shareSealed: string
    readonly sealedRecoveryShare: HpkeSealed
    readonly sealedDeviceShare?: HpkeSealed | undefined
  }[]
  readonly factors?: readonly StoredFactor[] | undefined
  /** Set for a creation. */
  readonly accountType?: 'eoa' | 'smartAccount' | undefined
}

export type StoredFactor = {
  readonly id: string
  readonly kind: 'passkey' | 'kit' | 'operator'
  readonly wrap?: GcmSealed | undefined
  readonly credentialId?: string | undefined
  readonly label?: string | undefined
  readonly operatorSealed?: string | undefined
  readonly operatorKeyWrapped?: string | undefined
}

type WalletSlotTable = {
  wallet_id: string
  /** A device's id, or `recovery`. */
  slot: string
  change_id: string
  epoch: number
  share_sealed: Uint8Array
  sealed_recovery: Json<HpkeSealed>
  sealed_device: Json<HpkeSealed> | null
  device_key: string | null
  created_at: Date
  used_at: Date
}

/** For each wallet that was left, the move away from it. */
type WalletMoveTable = {
  user_id: string
  from_wallet: string
  body: Json<WalletMove>
  created_at: Date
}

type RecoveryFactorTable = {
  id: string
  wallet_id: string
  kind: StoredFactor['kind']
  wrap: Json<GcmSealed> | null
  credential_id: string | null
  label: string | null
  operator_sealed: Uint8Array | null
  operator_key_wrapped: Uint8Array | null
  created_at: Date
}

type OperatorRecoveryTable = {
  id: string
  wallet_id: string
  user_id: string
  device_id: string
  cancel_hash: Uint8Array
  created_at: Date
  ready_at: Date
  cancelled_at: Date | null
  released_at: Date | null
}

type EnrollmentTable = {
  id: string
  user_id: string
  device_id: string
  device_key: string
  commitment: string
  nonce: string | null
  met_by: string | null
  met_nonce: string | null
  met_key: string | null
  /**
   * The realm of the wallet that the new device requests; null in older requests, which are for the
   * wallet in use.
   */
  realm: string | null
  /** The version of the exchange: `enrollmentVersion`, or an older one. */
  version: number
  change_id: string | null
  refused_at: Date | null
  expires_at: Date
}

type AuditTable = {
  sequence: bigint
  at: Date
  /** A user's id: a pseudonym that outlives the user's data. */
  subject: string
  device_id: string | null
  action: string
  detail: string
  hash: Uint8Array
}

type AuditHeadTable = { one: boolean; sequence: bigint; hash: Uint8Array; mac: Uint8Array }
type KmsKeyTable = { id: string; fingerprint: Uint8Array }

/** The tables of the vault (0003_vault, 0006_enrolment_version, 0024_moves, 0031_account_types). */
export type VaultTables = {
  vault_users: VaultUserTable
  wallets: WalletTable
  wallet_changes: WalletChangeTable
  wallet_slots: WalletSlotTable
  wallet_moves: WalletMoveTable
  recovery_factors: RecoveryFactorTable
  operator_recoveries: OperatorRecoveryTable
  enrollments: EnrollmentTable
  audit: AuditTable
  audit_head: AuditHeadTable
  kms_keys: KmsKeyTable
}
