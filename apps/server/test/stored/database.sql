-- A whole database as an earlier version's server left it: its tables, and the rows of three users.
-- Left out are indexed blocks, price points and used proofs. It must migrate and open forever. Never
-- rewrite it to make a test pass.

create table "activity_accounts" (
  "id" integer generated always as identity not null,
  "chain_id" text not null,
  "address" bytea not null,
  "asked_at" timestamp with time zone not null,
  "watched_at" timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  "live" boolean default false not null,
  "first_block" bigint,
  "seen_to" bigint,
  "todo" int8multirange default '{}'::int8multirange not null,
  "since_ms" bigint,
  "bottom_ms" bigint,
  constraint "activity_accounts_chain_id_address_key" UNIQUE (chain_id, address),
  constraint "activity_accounts_pkey" PRIMARY KEY (id)
);
create table "activity_approvals" (
  "account_id" integer not null,
  "block" bigint not null,
  "index" integer not null,
  "position" integer not null,
  "kind" text not null,
  "contract" bytea not null,
  "spender" bytea not null,
  "token_id" numeric(78,0),
  "mined_ms" bigint not null,
  constraint "activity_approvals_pkey" PRIMARY KEY (account_id, block, index, "position")
);
create table "activity_blocks" (
  "chain_id" text not null,
  "number" bigint not null,
  "hash" bytea not null,
  "mined_ms" bigint not null,
  constraint "activity_blocks_pkey" PRIMARY KEY (chain_id, number)
);
create table "activity_chains" (
  "chain_id" text not null,
  "holder" uuid,
  "held_until" timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  "seen_at" timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  "generation" bigint default 0 not null,
  "genesis" bytea,
  "head" bigint,
  "head_ms" bigint,
  constraint "activity_chains_pkey" PRIMARY KEY (chain_id)
);
create table "activity_rows" (
  "account_id" integer not null,
  "mined_ms" bigint not null,
  "block" bigint not null,
  "index" integer not null,
  "hash" bytea not null,
  "sender" bytea not null,
  "recipient" bytea,
  "created" bytea,
  "nonce" bigint not null,
  "value" numeric(78,0) not null,
  "fee" numeric(78,0),
  "selector" bytea,
  "failed" boolean not null,
  constraint "activity_rows_pkey" PRIMARY KEY (account_id, mined_ms, block, index)
);
create table "activity_transfers" (
  "account_id" integer not null,
  "block" bigint not null,
  "index" integer not null,
  "position" integer not null,
  "standard" smallint not null,
  "contract" bytea not null,
  "sender" bytea not null,
  "recipient" bytea not null,
  "token_id" numeric(78,0),
  "amount" numeric(78,0) not null,
  "mined_ms" bigint not null,
  constraint "activity_transfers_pkey" PRIMARY KEY (account_id, block, index, "position")
);
create table "audit" (
  "sequence" bigint not null,
  "at" timestamp with time zone not null,
  "subject" text not null,
  "device_id" text,
  "action" text not null,
  "detail" text not null,
  "hash" bytea not null,
  constraint "audit_pkey" PRIMARY KEY (sequence)
);
create table "audit_head" (
  "one" boolean not null,
  "sequence" bigint not null,
  "hash" bytea not null,
  "mac" bytea not null,
  constraint "audit_head_pkey" PRIMARY KEY (one),
  constraint "audit_head_one_check" CHECK (one)
);
create table "budgets" (
  "scope" text not null,
  "subject" bytea not null,
  "spent" timestamp with time zone[] not null,
  constraint "budgets_pkey" PRIMARY KEY (scope, subject)
);
create table "bundler_leases" (
  "chain_id" text not null,
  "holder" text not null,
  "held_until" timestamp with time zone not null,
  constraint "bundler_leases_pkey" PRIMARY KEY (chain_id)
);
create table "codes" (
  "tx_hash" bytea not null,
  "step" text not null,
  "code_hash" bytea not null,
  "attempts" integer default 0 not null,
  "expires_at" timestamp with time zone not null,
  "consumed_at" timestamp with time zone,
  constraint "codes_pkey" PRIMARY KEY (tx_hash, step)
);
create table "devices" (
  "id" uuid not null,
  "user_id" uuid not null,
  "jkt" text not null,
  "name" text not null,
  "browser" text not null,
  "origin" text not null,
  "project_id" text not null,
  "created_at" timestamp with time zone not null,
  "last_seen_at" timestamp with time zone not null,
  "revoked_at" timestamp with time zone,
  constraint "devices_pkey" PRIMARY KEY (id)
);
create table "email_changes" (
  "hash" bytea not null,
  "user_id" uuid not null,
  "session_id" uuid not null,
  "old_index" bytea,
  "new_index" bytea not null,
  "new_sealed" bytea not null,
  "step" text not null,
  "created_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  constraint "email_changes_pkey" PRIMARY KEY (hash),
  constraint "email_changes_step_check" CHECK ((step = ANY (ARRAY['primary'::text, 'secondary'::text, 'done'::text])))
);
create table "email_undos" (
  "hash" bytea not null,
  "user_id" uuid not null,
  "old_index" bytea not null,
  "old_sealed" bytea not null,
  "changed_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  constraint "email_undos_pkey" PRIMARY KEY (hash)
);
create table "enrollments" (
  "id" text not null,
  "user_id" uuid not null,
  "device_id" uuid not null,
  "device_key" text not null,
  "commitment" text not null,
  "nonce" text,
  "met_by" uuid,
  "met_nonce" text,
  "change_id" text,
  "refused_at" timestamp with time zone,
  "expires_at" timestamp with time zone not null,
  "version" integer default 1 not null,
  "met_key" text,
  "realm" text,
  constraint "enrollments_pkey" PRIMARY KEY (id)
);
create table "identities" (
  "id" uuid not null,
  "identity_index" bytea not null,
  "user_id" uuid not null,
  "provider" text not null,
  "name_sealed" bytea not null,
  "created_at" timestamp with time zone not null,
  constraint "identities_identity_index_key" UNIQUE (identity_index),
  constraint "identities_pkey" PRIMARY KEY (id)
);
create table "kms_keys" (
  "id" text not null,
  "fingerprint" bytea not null,
  constraint "kms_keys_pkey" PRIMARY KEY (id)
);
create table "known_devices" (
  "hash" bytea not null,
  "user_id" uuid not null,
  "device_id" uuid not null,
  "origin" text not null,
  "project_id" text not null,
  "expires_at" timestamp with time zone not null,
  constraint "known_devices_pkey" PRIMARY KEY (hash)
);
create table "kysely_migration" (
  "name" character varying(255) not null,
  "timestamp" character varying(255) not null,
  constraint "kysely_migration_pkey" PRIMARY KEY (name)
);
create table "kysely_migration_lock" (
  "id" character varying(255) not null,
  "is_locked" integer default 0 not null,
  constraint "kysely_migration_lock_pkey" PRIMARY KEY (id)
);
create table "logins" (
  "hash" bytea not null,
  "purpose" text not null,
  "email_index" bytea not null,
  "email_sealed" bytea not null,
  "session_id" uuid,
  "jkt" text not null,
  "origin" text not null,
  "project_id" text not null,
  "browser" text not null,
  "match_code" text not null,
  "known_hash" bytea,
  "link_hash" bytea,
  "link_tries" integer default 0 not null,
  "link_expires_at" timestamp with time zone,
  "approved_at" timestamp with time zone,
  "finished_at" timestamp with time zone,
  "created_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  "action" text,
  constraint "logins_link_hash_key" UNIQUE (link_hash),
  constraint "logins_pkey" PRIMARY KEY (hash)
);
create table "name_addresses" (
  "name" text not null,
  "coin_type" bigint not null,
  "address" bytea not null,
  "created_at" timestamp with time zone not null,
  constraint "name_addresses_pkey" PRIMARY KEY (name, coin_type)
);
create table "name_messages" (
  "hash" bytea not null,
  "expires_at" timestamp with time zone not null,
  constraint "name_messages_pkey" PRIMARY KEY (hash)
);
create table "names" (
  "name" text not null,
  "zone" text not null,
  "skeleton" text not null,
  "owner" bytea not null,
  "owner_chain" text not null,
  "confirmed" boolean not null,
  "attributes" jsonb not null,
  "registered_at" timestamp with time zone not null,
  "updated_at" timestamp with time zone not null,
  "released_at" timestamp with time zone,
  "primary_at" timestamp with time zone,
  constraint "names_pkey" PRIMARY KEY (name)
);
create table "nft_metadata" (
  "chain_id" text not null,
  "contract" text not null,
  "token_id" text not null,
  "state" text not null,
  "reason" text,
  "name" text,
  "description" text,
  "image" text,
  "external_url" text,
  "attributes" jsonb default '[]'::jsonb not null,
  "hash" text,
  "read_at" timestamp with time zone,
  "failures" integer default 0 not null,
  "next_at" timestamp with time zone not null,
  constraint "nft_metadata_pkey" PRIMARY KEY (chain_id, contract, token_id),
  constraint "nft_metadata_state_check" CHECK ((state = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text, 'none'::text])))
);
create table "onramp_orders" (
  "id" text not null,
  "provider" text not null,
  "chain_id" text not null,
  "address" text not null,
  "account" text not null,
  "asset" text not null,
  "symbol" text not null,
  "decimals" integer not null,
  "payment_amount" text,
  "payment_currency" text not null,
  "payment_method" text not null,
  "status" text default 'created'::text not null,
  "reason" text,
  "transaction_hash" text,
  "reported_at" timestamp with time zone,
  "received" numeric,
  "created_at" timestamp with time zone not null,
  "ask_at" timestamp with time zone default now() not null,
  "source" smallint default 0 not null,
  constraint "onramp_orders_pkey" PRIMARY KEY (id)
);
create table "operator_recoveries" (
  "id" text not null,
  "wallet_id" text not null,
  "user_id" uuid not null,
  "device_id" uuid not null,
  "cancel_hash" bytea not null,
  "created_at" timestamp with time zone not null,
  "ready_at" timestamp with time zone not null,
  "cancelled_at" timestamp with time zone,
  "released_at" timestamp with time zone,
  constraint "operator_recoveries_cancel_hash_key" UNIQUE (cancel_hash),
  constraint "operator_recoveries_pkey" PRIMARY KEY (id)
);
create table "passkey_challenges" (
  "hash" bytea not null,
  "purpose" text not null,
  "action" text,
  "jkt" text not null,
  "session_id" uuid,
  "origin" text not null,
  "project_id" text not null,
  "user_handle" bytea,
  "expires_at" timestamp with time zone not null,
  constraint "passkey_challenges_pkey" PRIMARY KEY (hash),
  constraint "passkey_challenges_purpose_check" CHECK ((purpose = ANY (ARRAY['register'::text, 'login'::text, 'step-up'::text])))
);
create table "passkeys" (
  "credential_id" text not null,
  "user_id" uuid not null,
  "user_handle" bytea not null,
  "public_key" bytea not null,
  "counter" bigint not null,
  "created_at" timestamp with time zone not null,
  constraint "passkeys_pkey" PRIMARY KEY (credential_id)
);
create table "permission_roots" (
  "day" integer not null,
  "wrapped" bytea not null,
  constraint "permission_roots_pkey" PRIMARY KEY (day)
);
create table "permission_sessions" (
  "pci" text not null,
  "project_id" text not null,
  "origin" text,
  "chain_id" text not null,
  "account" text not null,
  "expiry" bigint not null,
  "signer" text not null,
  "permissions" text not null,
  "delegate" text not null,
  "key_wrapped" bytea not null,
  "key_sealed" bytea not null,
  "created_at" timestamp with time zone not null,
  "activated_at" timestamp with time zone,
  "revoked_at" timestamp with time zone,
  "granted_block" bigint,
  constraint "permission_sessions_pkey" PRIMARY KEY (pci)
);
create table "permission_uses" (
  "pci" text not null,
  "index" integer not null,
  "period" bigint not null,
  "operation" text not null,
  "amount" numeric not null,
  constraint "permission_uses_pkey" PRIMARY KEY (pci, operation, index)
);
create table "price_points" (
  "chain_id" text not null,
  "token" text not null,
  "at" timestamp with time zone not null,
  "price" numeric not null,
  constraint "price_points_pkey" PRIMARY KEY (chain_id, token, at)
);
create table "projects" (
  "id" text not null,
  "name" text not null,
  "allowed_origins" text[] default '{}'::text[] not null,
  "created_at" timestamp with time zone default now() not null,
  constraint "projects_pkey" PRIMARY KEY (id)
);
create table "proofs" (
  "hash" bytea not null,
  "expires_at" timestamp with time zone not null,
  constraint "proofs_pkey" PRIMARY KEY (hash)
);
create table "recovery_factors" (
  "id" text not null,
  "wallet_id" text not null,
  "kind" text not null,
  "wrap" jsonb,
  "credential_id" text,
  "label" text,
  "operator_sealed" bytea,
  "operator_key_wrapped" bytea,
  "created_at" timestamp with time zone not null,
  constraint "recovery_factors_pkey" PRIMARY KEY (id),
  constraint "recovery_factors_kind_check" CHECK ((kind = ANY (ARRAY['passkey'::text, 'kit'::text, 'operator'::text])))
);
create table "rendezvous" (
  "hash" bytea not null,
  "jkt" text not null,
  "question" text not null,
  "answer" text,
  "taken_at" timestamp with time zone,
  "expires_at" timestamp with time zone not null,
  constraint "rendezvous_pkey" PRIMARY KEY (hash)
);
create table "session_tokens" (
  "hash" bytea not null,
  "session_id" uuid not null,
  "kind" text not null,
  "expires_at" timestamp with time zone not null,
  "used_at" timestamp with time zone,
  constraint "session_tokens_pkey" PRIMARY KEY (hash),
  constraint "session_tokens_kind_check" CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])))
);
create table "sessions" (
  "id" uuid not null,
  "user_id" uuid not null,
  "device_id" uuid not null,
  "created_at" timestamp with time zone not null,
  "used_at" timestamp with time zone not null,
  "ends_at" timestamp with time zone not null,
  "ended_at" timestamp with time zone,
  "recovery_until" timestamp with time zone,
  constraint "sessions_pkey" PRIMARY KEY (id)
);
create table "siwx_nonces" (
  "nonce" text not null,
  "project_id" text not null,
  "origin" text not null,
  "account" text,
  "expires_at" timestamp with time zone not null,
  constraint "siwx_nonces_pkey" PRIMARY KEY (nonce)
);
create table "siwx_sessions" (
  "id" text not null,
  "secret_hash" bytea not null,
  "project_id" text not null,
  "origin" text not null,
  "account" text not null,
  "chain_id" text not null,
  "address" text not null,
  "csrf" text,
  "created_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  constraint "siwx_sessions_pkey" PRIMARY KEY (id),
  constraint "siwx_sessions_secret_hash_key" UNIQUE (secret_hash)
);
create table "social_logins" (
  "hash" bytea not null,
  "purpose" text not null,
  "action" text,
  "provider" text not null,
  "session_id" uuid,
  "jkt" text not null,
  "origin" text not null,
  "project_id" text not null,
  "browser" text not null,
  "challenge_hash" bytea,
  "cookie_hash" bytea,
  "confirmed_at" timestamp with time zone,
  "redirected_at" timestamp with time zone,
  "answered_at" timestamp with time zone,
  "outcome" text,
  "identity_index" bytea,
  "name_sealed" bytea,
  "finished_at" timestamp with time zone,
  "created_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  "channel_sealed" bytea,
  constraint "social_logins_cookie_hash_key" UNIQUE (cookie_hash),
  constraint "social_logins_pkey" PRIMARY KEY (hash),
  constraint "social_logins_outcome_check" CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text]))),
  constraint "social_logins_purpose_check" CHECK ((purpose = ANY (ARRAY['login'::text, 'step-up'::text, 'link'::text])))
);
create table "solana_accounts" (
  "id" integer generated always as identity not null,
  "chain_id" text not null,
  "address" text not null,
  "refreshed_at" timestamp with time zone,
  constraint "solana_accounts_chain_id_address_key" UNIQUE (chain_id, address),
  constraint "solana_accounts_pkey" PRIMARY KEY (id)
);
create table "solana_lists" (
  "account_id" integer not null,
  "address" text not null,
  "newest" text,
  "oldest" text,
  "oldest_slot" bigint,
  "complete" boolean default false not null,
  constraint "solana_lists_pkey" PRIMARY KEY (account_id, address)
);
create table "solana_transactions" (
  "account_id" integer not null,
  "slot" bigint not null,
  "signature" text not null,
  "mined_ms" bigint not null,
  "failed" boolean not null,
  "final" boolean not null,
  "facts" jsonb,
  constraint "solana_transactions_pkey" PRIMARY KEY (account_id, slot, signature)
);
create table "sponsored_days" (
  "chain_id" text not null,
  "account" text not null,
  "day" date not null,
  "wei" numeric not null,
  constraint "sponsored_days_pkey" PRIMARY KEY (chain_id, account, day)
);
create table "sponsorships" (
  "id" bigint generated always as identity not null,
  "chain_id" text not null,
  "account" text not null,
  "nonce" numeric not null,
  "day" date not null,
  "wei" numeric not null,
  "valid_until" bigint not null,
  constraint "sponsorships_pkey" PRIMARY KEY (id)
);
create table "step_ups" (
  "session_id" uuid not null,
  "action" text not null,
  "expires_at" timestamp with time zone not null,
  "by_passkey" boolean default false not null,
  "older_until" timestamp with time zone,
  constraint "step_ups_pkey" PRIMARY KEY (session_id, action)
);
create table "user_operation_bundles" (
  "chain_id" text not null,
  "hash" text not null,
  "raw" text not null,
  "nonce" integer not null,
  "settled" boolean default false not null,
  "created_at" timestamp with time zone default now() not null,
  "block_number" bigint,
  constraint "user_operation_bundles_pkey" PRIMARY KEY (chain_id, hash)
);
create table "user_operations" (
  "chain_id" text not null,
  "hash" text not null,
  "sender" text not null,
  "nonce" text not null,
  "operation" jsonb not null,
  "max_priority_fee" text not null,
  "status" text not null,
  "bundle_hash" text,
  "reason" text,
  "tries" integer default 0 not null,
  "created_at" timestamp with time zone default now() not null,
  "changed_at" timestamp with time zone default now() not null,
  constraint "user_operations_pkey" PRIMARY KEY (chain_id, hash)
);
create table "users" (
  "id" uuid not null,
  "email_index" bytea,
  "email_sealed" bytea,
  "created_at" timestamp with time zone not null,
  "undo_until" timestamp with time zone,
  "passkey_lost_at" timestamp with time zone,
  "email_added_at" timestamp with time zone,
  constraint "users_email_index_key" UNIQUE (email_index),
  constraint "users_pkey" PRIMARY KEY (id)
);
create table "vault_users" (
  "user_id" uuid not null,
  "key_wrapped" bytea not null,
  "key_id" text not null,
  "created_at" timestamp with time zone not null,
  constraint "vault_users_pkey" PRIMARY KEY (user_id)
);
create table "wallet_changes" (
  "id" text not null,
  "wallet_id" text not null,
  "user_id" uuid not null,
  "realm" text not null,
  "device_id" uuid not null,
  "creates" boolean not null,
  "digest" bytea not null,
  "body" jsonb not null,
  "created_at" timestamp with time zone not null,
  "expires_at" timestamp with time zone not null,
  "committed_at" timestamp with time zone,
  constraint "wallet_changes_pkey" PRIMARY KEY (id)
);
create table "wallet_moves" (
  "user_id" uuid not null,
  "from_wallet" text not null,
  "body" jsonb not null,
  "created_at" timestamp with time zone not null,
  constraint "wallet_moves_pkey" PRIMARY KEY (user_id, from_wallet)
);
create table "wallet_slots" (
  "wallet_id" text not null,
  "slot" text not null,
  "change_id" text not null,
  "epoch" integer not null,
  "share_sealed" bytea not null,
  "sealed_recovery" jsonb not null,
  "sealed_device" jsonb,
  "device_key" text,
  "created_at" timestamp with time zone not null,
  "used_at" timestamp with time zone not null,
  constraint "wallet_slots_pkey" PRIMARY KEY (wallet_id, slot)
);
create table "wallets" (
  "id" text not null,
  "user_id" uuid not null,
  "realm" text not null,
  "epoch" integer not null,
  "eip155" text not null,
  "solana" text not null,
  "recovery_key" text not null,
  "manifest" text not null,
  "manifest_signature" text not null,
  "manifest_version" integer not null,
  "sealed_seed" jsonb not null,
  "created_at" timestamp with time zone not null,
  "place" text default 'current'::text,
  "drop_at" timestamp with time zone,
  "account_type" text,
  constraint "wallets_pkey" PRIMARY KEY (id),
  constraint "wallets_user_id_realm_key" UNIQUE (user_id, realm)
);
CREATE INDEX activity_accounts_asked ON activity_accounts USING btree (chain_id, asked_at);
CREATE INDEX activity_transfers_nft ON activity_transfers USING btree (account_id, contract, token_id) WHERE (standard <> 20);
CREATE INDEX activity_transfers_token ON activity_transfers USING btree (account_id, contract, block) WHERE (standard = 20);
CREATE INDEX audit_subject ON audit USING btree (subject, sequence);
CREATE INDEX email_undos_index ON email_undos USING btree (old_index);
CREATE INDEX enrollments_user ON enrollments USING btree (user_id);
CREATE INDEX identities_user ON identities USING btree (user_id);
CREATE INDEX known_devices_device ON known_devices USING btree (device_id);
CREATE INDEX known_devices_user ON known_devices USING btree (user_id);
CREATE INDEX name_messages_expired ON name_messages USING btree (expires_at);
CREATE INDEX names_owner ON names USING btree (owner);
CREATE INDEX nft_metadata_next ON nft_metadata USING btree (next_at);
CREATE INDEX onramp_orders_account ON onramp_orders USING btree (account, chain_id, created_at DESC);
CREATE INDEX onramp_orders_ask ON onramp_orders USING btree (ask_at) WHERE (status = ANY (ARRAY['created'::text, 'declined'::text, 'expired'::text, 'paid'::text]));
CREATE INDEX onramp_orders_created ON onramp_orders USING btree (created_at);
CREATE INDEX operator_recoveries_wallet ON operator_recoveries USING btree (wallet_id);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);
CREATE INDEX permission_sessions_account ON permission_sessions USING btree (account, chain_id);
CREATE INDEX permission_sessions_delegate ON permission_sessions USING btree (delegate);
CREATE INDEX permission_sessions_pending ON permission_sessions USING btree (created_at) WHERE (activated_at IS NULL);
CREATE INDEX permission_uses_period ON permission_uses USING btree (pci, index, period);
CREATE INDEX price_points_at ON price_points USING btree (at);
CREATE INDEX recovery_factors_wallet ON recovery_factors USING btree (wallet_id);
CREATE INDEX session_tokens_session ON session_tokens USING btree (session_id);
CREATE INDEX sessions_device ON sessions USING btree (device_id);
CREATE INDEX sessions_user ON sessions USING btree (user_id);
CREATE INDEX siwx_nonces_expired ON siwx_nonces USING btree (expires_at);
CREATE INDEX siwx_sessions_account ON siwx_sessions USING btree (project_id, account);
CREATE INDEX siwx_sessions_expired ON siwx_sessions USING btree (expires_at);
CREATE INDEX sponsorships_valid_until ON sponsorships USING btree (chain_id, valid_until);
CREATE INDEX user_operation_bundles_mined ON user_operation_bundles USING btree (chain_id, block_number) WHERE (settled AND (block_number IS NOT NULL));
CREATE INDEX user_operation_bundles_open ON user_operation_bundles USING btree (chain_id) WHERE (NOT settled);
CREATE INDEX user_operations_waiting ON user_operations USING btree (chain_id, status) WHERE (status = ANY (ARRAY['pending'::text, 'sent'::text]));
CREATE INDEX wallet_changes_expiry ON wallet_changes USING btree (expires_at);
CREATE UNIQUE INDEX devices_live ON devices USING btree (user_id, jkt) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX names_skeleton ON names USING btree (zone, skeleton);
CREATE UNIQUE INDEX onramp_orders_arrived ON onramp_orders USING btree (chain_id, account, asset, transaction_hash) WHERE (status = 'arrived'::text);
CREATE UNIQUE INDEX user_operations_nonce ON user_operations USING btree (chain_id, sender, nonce) WHERE (status = ANY (ARRAY['pending'::text, 'sent'::text]));
CREATE UNIQUE INDEX wallet_changes_creation ON wallet_changes USING btree (user_id, realm) WHERE creates;
CREATE UNIQUE INDEX wallets_place ON wallets USING btree (user_id, place);

insert into "activity_accounts" overriding system value select * from json_populate_recordset(null::"activity_accounts", $rows$[{"id":1,"chain_id":"eip155:31337","address":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","asked_at":"2026-11-29T18:34:05.264827+00:00","watched_at":"2026-11-29T18:34:05.264827+00:00","live":true,"first_block":0,"seen_to":null,"todo":"{}","since_ms":1795976483000,"bottom_ms":1795976483000},  {"id":9,"chain_id":"eip155:31337","address":"\\x84cd4f72e2b7e87db44d908b4f2343b8dd3f8885","asked_at":"2026-11-29T18:34:31.177561+00:00","watched_at":"2026-11-29T18:34:31.177561+00:00","live":true,"first_block":0,"seen_to":null,"todo":"{}","since_ms":1795976483000,"bottom_ms":1795976483000},  {"id":14,"chain_id":"eip155:31337","address":"\\x3fda00dbc559e14b6ec333e84a94f345c7691ba6","asked_at":"2026-11-29T18:35:00.282663+00:00","watched_at":"2026-11-29T18:35:00.282663+00:00","live":true,"first_block":0,"seen_to":null,"todo":"{}","since_ms":1795976483000,"bottom_ms":1795976483000},  {"id":21,"chain_id":"eip155:31337","address":"\\x836548c14c97101ccb28ffb6b2cca4d7c37df6fa","asked_at":"2026-11-29T18:35:15.448528+00:00","watched_at":"2026-11-29T18:35:15.448528+00:00","live":true,"first_block":0,"seen_to":null,"todo":"{}","since_ms":1795976483000,"bottom_ms":1795976483000}]$rows$);
insert into "activity_chains" select * from json_populate_recordset(null::"activity_chains", $rows$[{"chain_id":"eip155:31337","holder":"fd4297e1-e1a1-4ae3-8a1c-69dac7e2017f","held_until":"2026-11-29T18:37:13.307114+00:00","seen_at":"2026-11-29T18:37:10.807114+00:00","generation":0,"genesis":"\\x10e03d15f144d58700e6713eb2aa2916064e846cedd87e8cc50020cba1494648","head":124,"head_ms":1795977228000}]$rows$);
insert into "activity_rows" select * from json_populate_recordset(null::"activity_rows", $rows$[{"account_id":1,"mined_ms":1795977207000,"block":122,"index":0,"hash":"\\x4a757da4f8b77e1353b3d271611555bb09949d62b183a2d0a4660351d590c9a7","sender":"\\xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","recipient":"\\xa15bb66138824a1c7167f5e85b957d04dd34e468","created":null,"nonce":0,"value":0,"fee":null,"selector":"\\xa9059cbb","failed":false},  {"account_id":1,"mined_ms":1795977218000,"block":123,"index":0,"hash":"\\xca4abc5c32b139d24f5ed894cbb69797aa9c11419af9d74790ad9376c0b6bf68","sender":"\\x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f","recipient":"\\x4337084d9e255ff0702461cf8895ce9e3b5ff108","created":null,"nonce":0,"value":0,"fee":null,"selector":"\\x765e827f","failed":false}]$rows$);
insert into "activity_transfers" select * from json_populate_recordset(null::"activity_transfers", $rows$[{"account_id":1,"block":122,"index":0,"position":0,"standard":20,"contract":"\\xa15bb66138824a1c7167f5e85b957d04dd34e468","sender":"\\xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","recipient":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","token_id":null,"amount":250000000,"mined_ms":1795977207000},  {"account_id":1,"block":123,"index":0,"position":0,"standard":0,"contract":"\\x","sender":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","recipient":"\\x90f79bf6eb2c4f870365e785982e1f101e93b906","token_id":null,"amount":250000000000000000,"mined_ms":1795977218000}]$rows$);
insert into "audit" select * from json_populate_recordset(null::"audit", $rows$[{"sequence":1,"at":"2026-11-29T18:33:18.339+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"wallet creation prepared","detail":"{\"changeId\":\"f4c9dccaf2fca5f128bd48e585ac23e9\"}","hash":"\\xa3dd07ce9cf1a975a27f97f32fe8ed4039e8e906e061df21f29dcf4e724b0292"},  {"sequence":2,"at":"2026-11-29T18:33:18.537+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\xd6d29c0cd8048e7cf14739dff1b9700b0c89b0b5c8aaf584f8acd99762e0f279"},  {"sequence":3,"at":"2026-11-29T18:33:18.968+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"wallet created","detail":"{\"epoch\":1}","hash":"\\x0dc3e45c85ad1f082d57184d9aee4379d84b899359f7174ae5375f7657f160b3"},  {"sequence":4,"at":"2026-11-29T18:33:24.961+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\x9cc771941b4bbbb79bfc61a645e5a83f1a37671d581eb1076b336e11d0770c6d"},  {"sequence":5,"at":"2026-11-29T18:33:30.78+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\x06cb681adaa6112edf10973bd92771ceb06510200f7a8a44f1e2953eacfde7df"},  {"sequence":6,"at":"2026-11-29T18:33:37.145+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\xc4569ccb2c9ae71078fcf048ed828a937823702b357a324857de89c68b871eb4"},  {"sequence":7,"at":"2026-11-29T18:33:47.764+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\x5243a81a149e062935d6f6aedbc9cfd84004161d2c88e3562ec372cec58e4857"},  {"sequence":8,"at":"2026-11-29T18:33:48.522+00:00","subject":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","device_id":null,"action":"session granted","detail":"{\"pci\":\"38b77354-f933-4ca1-bcd4-5f3439d2d2e9\",\"chainId\":\"eip155:31337\"}","hash":"\\xb5ded84c7283e7ebd777851f6547921dffa1341e5eb0d40368baa6aef29e11fb"},  {"sequence":9,"at":"2026-11-29T18:33:54.515+00:00","subject":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","action":"share released","detail":"{}","hash":"\\xe2a09628b1e3c0eb76e6f5cebcd0550abb7dfffb68ef8b3f658d2d0b32730b3e"},  {"sequence":10,"at":"2026-11-29T18:34:27.971+00:00","subject":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","action":"wallet creation prepared","detail":"{\"changeId\":\"fae62a2aa7d9f8cd0b8d6c5fc06f8c5a\"}","hash":"\\x970508843a9b52af0be6e1b3f0d41208384feb2173a34d16b07ca17b1d5a499f"},  {"sequence":11,"at":"2026-11-29T18:34:28.362+00:00","subject":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","action":"share released","detail":"{}","hash":"\\x3a5080b8ca338bac2c64732a248081f07e76ecc10869a30f85cd34dc2cfa4a56"},  {"sequence":12,"at":"2026-11-29T18:34:28.764+00:00","subject":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","action":"wallet created","detail":"{\"epoch\":1}","hash":"\\xd4b704bfc7ffc6b202fe27913594a494c35b4db32e1625a62ab7d26e018af6e9"},  {"sequence":13,"at":"2026-11-29T18:34:35.322+00:00","subject":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","action":"share released","detail":"{}","hash":"\\x01ef00cc20716701febb9e7ff1887732233e9b784d5ed7ff0634feb80b3f3e16"},  {"sequence":14,"at":"2026-11-29T18:34:53.675+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"wallet creation prepared","detail":"{\"changeId\":\"00722b48b74d18c17815f4cfcb624deb\"}","hash":"\\xc170f5c96f915c872d22b17ef30730ed38cbe58be101891d337bc5c04a793203"},  {"sequence":15,"at":"2026-11-29T18:34:53.782+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\x1af7bbb3e3e42b930fb66de6a06152b5aa4c43b85c7f3c2f154a8917373ff555"},  {"sequence":16,"at":"2026-11-29T18:34:53.865+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"wallet created","detail":"{\"epoch\":1}","hash":"\\x2f14dd65a1995b0e2157256dd3a1cf6226f100773a65bca9f27e3e67703ec28c"},  {"sequence":17,"at":"2026-11-29T18:35:00.381+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\xcba265fc5f14d6bb12e06073b5903d462e1a68f0e5561b7e7cd11d1d36f8f3d9"},  {"sequence":18,"at":"2026-11-29T18:35:07.62+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"wallet creation prepared","detail":"{\"changeId\":\"b27d798e5066ebbe8576b7d589fe6ad1\"}","hash":"\\x1b70b99c99c392e4b809581b076794d3815107d72d478eda22166c1b2adaa55d"},  {"sequence":19,"at":"2026-11-29T18:35:07.687+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\xa6edd0aca64b054def0e27a05b373f99c58004a4b283baebdaa40528a9c3d20d"},  {"sequence":20,"at":"2026-11-29T18:35:07.823+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"wallet created","detail":"{\"epoch\":1}","hash":"\\x5208d1d0370b20694c176fc853f905e3428dcf901c8dff4b443ed031407330e9"},  {"sequence":21,"at":"2026-11-29T18:35:09.252+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"recovery shares released","detail":"{}","hash":"\\xe410191428702b55621c45f970491a932fa71ac7073b1581db6a086ddb0504ea"},  {"sequence":22,"at":"2026-11-29T18:35:09.387+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\x80b77c24a27bd86a622770c9ebc293128b778c1b2c5ec02de748ca9f7cceec53"},  {"sequence":23,"at":"2026-11-29T18:35:09.524+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\x17982438b3b06389e2058ed8d4f73cdb402c8a3e04312196125b1583d4770901"},  {"sequence":24,"at":"2026-11-29T18:35:09.824+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"wallet moved","detail":"{\"wallet\":\"acfa55921bade52618e447a6c9f2ad08\"}","hash":"\\x69110c1ebc52098694301c3ee9ea4f13d1efba429cecb4716502980f4ffec5d5"},  {"sequence":25,"at":"2026-11-29T18:35:19.54+00:00","subject":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","action":"share released","detail":"{}","hash":"\\xe1124d4e00ad87e0a2b027422657c940dda834cf0a440087961561af3fee5f5c"}]$rows$);
insert into "audit_head" select * from json_populate_recordset(null::"audit_head", $rows$[{"one":true,"sequence":25,"hash":"\\xe1124d4e00ad87e0a2b027422657c940dda834cf0a440087961561af3fee5f5c","mac":"\\x59f5e9f99fae602ca99514c52b7189bcc7cc7c4778672a61a85392a50d58eef7"}]$rows$);
insert into "budgets" select * from json_populate_recordset(null::"budgets", $rows$[{"scope":"mail address","subject":"\\xb751f58760490e8f6682f0f6863308fbab0e2a1c7f0b04ce31b6f4a373f77075","spent":["2026-11-29T18:33:08.268+00:00"]},  {"scope":"mail mailbox","subject":"\\x8134059c88c3929c5ea3824d94b1fe18f07608496982dcd86401d18d4e44b785","spent":["2026-11-29T18:33:08.268+00:00"]},  {"scope":"mail place","subject":"\\x8fee4be7c9b5030e645985f5a4ba5b80b6f7931703fb0674296c040544f814bb","spent":["2026-11-29T18:33:08.268+00:00"]},  {"scope":"vault prepare","subject":"\\xeb44797a3390a5c5058714720a2b24542082b2ce3ed27a430c7da79e06e9f017","spent":["2026-11-29T18:33:18.172+00:00"]},  {"scope":"passkey browser","subject":"\\xf1d189a06b4f1caeeb2d8f77f674920117531ed53ffa7f2af87dcfb5e593341b","spent":["2026-11-29T18:33:44.399+00:00"]},  {"scope":"mail browser","subject":"\\xc0e5ca0a213d19cd0e69c3266fe83c36776a588b74756b6986b3e1d1bb77f85a","spent":["2026-11-29T18:33:44.99+00:00"]},  {"scope":"mail known browser","subject":"\\xc0e5ca0a213d19cd0e69c3266fe83c36776a588b74756b6986b3e1d1bb77f85a","spent":["2026-11-29T18:33:44.99+00:00"]},  {"scope":"vault share","subject":"\\xeb44797a3390a5c5058714720a2b24542082b2ce3ed27a430c7da79e06e9f017","spent":["2026-11-29T18:33:18.458+00:00","2026-11-29T18:33:24.875+00:00","2026-11-29T18:33:30.599+00:00","2026-11-29T18:33:37.099+00:00","2026-11-29T18:33:47.742+00:00","2026-11-29T18:33:54.496+00:00"]},  {"scope":"mail address","subject":"\\x6b3d659ef38876a0d8bd423ee2e819a228ea2f5c293dba33c9b320cc15b091d9","spent":["2026-11-29T18:34:16.324+00:00"]},  {"scope":"mail browser","subject":"\\x46648dd688887aa9ff7182411fad241af383336d1b629ed288a56a86a61467bc","spent":["2026-11-29T18:34:16.324+00:00"]},  {"scope":"mail mailbox","subject":"\\xbe0b9e7a9a45a5c2b56252671e91feea03332b2cba93923dd08aa843ab996a8d","spent":["2026-11-29T18:34:16.324+00:00"]},  {"scope":"mail place","subject":"\\xe91662c47f4ee10878e0c68f7e9898207de78c80848de67d588ff70f0e19ad84","spent":["2026-11-29T18:34:16.324+00:00"]},  {"scope":"passkey browser","subject":"\\x92ebee6d8df8d8f1329a47cbeb27488228b4bd1f1cd6a6d73dc74906102a2088","spent":["2026-11-29T18:34:25.942+00:00"]},  {"scope":"vault prepare","subject":"\\xa2b7f95a881e2c1a23f0acef74b4b036ebe2b914fcd5a84fa991556b410d628d","spent":["2026-11-29T18:34:27.817+00:00"]},  {"scope":"vault share","subject":"\\xa2b7f95a881e2c1a23f0acef74b4b036ebe2b914fcd5a84fa991556b410d628d","spent":["2026-11-29T18:34:28.088+00:00","2026-11-29T18:34:35.219+00:00"]},  {"scope":"mail address","subject":"\\xca735e3c0785aea4339209c72d83ebd584bb68bc98a1c599f25f021affbfc607","spent":["2026-11-29T18:34:44.317+00:00"]},  {"scope":"mail mailbox","subject":"\\x2af3b19688476cc0758924fd0706486b9fce5bf033ecb0689a677032dc8ece92","spent":["2026-11-29T18:34:44.317+00:00"]},  {"scope":"mail place","subject":"\\x31cf1b522f2b87b9233c305798ba94afbfb679acb8782264d3b4e46fd10d39b7","spent":["2026-11-29T18:34:44.317+00:00"]},  {"scope":"passkey address","subject":"\\xdcd6f8ff3794aa23a7d2b4e7e4ee5489e377f24cfa455e6b3bc08e051bc40684","spent":["2026-11-29T18:33:44.399+00:00","2026-11-29T18:34:25.942+00:00","2026-11-29T18:35:04.315+00:00"]},  {"scope":"passkey browser","subject":"\\xb083040db5ffe5736fc0a5137bc42a4e692360bffce8396263ccd81320f59e5a","spent":["2026-11-29T18:35:04.315+00:00"]},  {"scope":"mail browser","subject":"\\x2167b60524dc6ba442629f41eee21b28b290547dc16ab957d66065bbeae63d54","spent":["2026-11-29T18:35:04.487+00:00"]},  {"scope":"mail known browser","subject":"\\x2167b60524dc6ba442629f41eee21b28b290547dc16ab957d66065bbeae63d54","spent":["2026-11-29T18:35:04.487+00:00"]},  {"scope":"vault prepare","subject":"\\xada07b8af1332598d936340ff67f8435e790e9bc341b51768fba7909829b21ba","spent":["2026-11-29T18:34:53.563+00:00","2026-11-29T18:35:07.505+00:00"]},  {"scope":"vault move","subject":"\\xada07b8af1332598d936340ff67f8435e790e9bc341b51768fba7909829b21ba","spent":["2026-11-29T18:35:09.714+00:00"]},  {"scope":"vault share","subject":"\\xada07b8af1332598d936340ff67f8435e790e9bc341b51768fba7909829b21ba","spent":["2026-11-29T18:34:53.771+00:00","2026-11-29T18:35:00.299+00:00","2026-11-29T18:35:07.651+00:00","2026-11-29T18:35:09.212+00:00","2026-11-29T18:35:09.329+00:00","2026-11-29T18:35:09.476+00:00","2026-11-29T18:35:19.437+00:00"]}]$rows$);
insert into "bundler_leases" select * from json_populate_recordset(null::"bundler_leases", $rows$[{"chain_id":"eip155:31337","holder":"c2e49488-7608-4159-998e-82fab60747f3","held_until":"2026-11-29T18:37:10.950974+00:00"}]$rows$);
insert into "codes" select * from json_populate_recordset(null::"codes", $rows$[{"tx_hash":"\\xa1a25e204ca51d635ca5fe5c2cfc716feeb2a68948918421b56d033d4c51d3c3","step":"login","code_hash":"\\x8e66e253503615e6683dc85a700f46f60b4f88732a27d18e29adf7a505a883b4","attempts":1,"expires_at":"2026-11-29T18:43:12.199+00:00","consumed_at":"2026-11-29T18:33:13.542+00:00"},  {"tx_hash":"\\x1340529e4de9b513154a3244e1b99937906c3d19a0185f421497d8c80b0f8822","step":"login","code_hash":"\\xc80e19c1668f27fde278d6b87e36afa26739d04d6aac5165fd8c6ed2d7858b25","attempts":1,"expires_at":"2026-11-29T18:43:45.383+00:00","consumed_at":"2026-11-29T18:33:46.904+00:00"},  {"tx_hash":"\\x6d9479de5844ef5ec35ab6ed2a00c824f9235f731b728a9b0e65a2c6bd45622c","step":"login","code_hash":"\\xef2407d09d9b9d9b3ebf0d2bb7f4ad59f99c4b602fa75678db1c4e29136a80b7","attempts":1,"expires_at":"2026-11-29T18:44:21.891+00:00","consumed_at":"2026-11-29T18:34:23.112+00:00"},  {"tx_hash":"\\xd24b86b0dd069f445a0b1a57c6cfafe3f12d7bc10c56661ad055da2dbc8afb7f","step":"login","code_hash":"\\x7ff30f6322d35f1629c1786686ba2ee8456ccf4461737123975d13b5082087fe","attempts":1,"expires_at":"2026-11-29T18:44:48.195+00:00","consumed_at":"2026-11-29T18:34:49.69+00:00"},  {"tx_hash":"\\x33d06a0d48bf0a38aec774329c105dea67795363a2f23df3161005c75dfc2c50","step":"login","code_hash":"\\x6c281e260f47a78fc3968d6d282020d5a4ba0094023e621b14537099bda01c4b","attempts":1,"expires_at":"2026-11-29T18:45:04.917+00:00","consumed_at":"2026-11-29T18:35:05.721+00:00"}]$rows$);
insert into "devices" select * from json_populate_recordset(null::"devices", $rows$[{"id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","jkt":"xikaEZS1aL3b0fkMhnmAey513ak95-3StZm2pr91Qu0","name":"Chrome on Linux","browser":"Chrome on Linux","origin":"http://127.0.0.1:26313","project_id":"local","created_at":"2026-11-29T18:33:13.542+00:00","last_seen_at":"2026-11-29T18:33:13.542+00:00","revoked_at":null},  {"id":"429792a8-e7f4-420a-bc07-29be7cf79161","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","jkt":"YkmO2mFyxUCwALDAUr_kwPf0C336doB87Ttoa1tozIg","name":"Chrome on Linux","browser":"Chrome on Linux","origin":"http://127.0.0.1:26313","project_id":"local","created_at":"2026-11-29T18:34:23.112+00:00","last_seen_at":"2026-11-29T18:34:23.112+00:00","revoked_at":null},  {"id":"247681c2-a41b-4495-b190-fc09cc392782","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","jkt":"A9f7uJB4HrgsISxfz-vBnE0XhiIz64pDocKdcDz_zXQ","name":"Chrome on Linux","browser":"Chrome on Linux","origin":"http://127.0.0.1:26313","project_id":"local","created_at":"2026-11-29T18:34:49.69+00:00","last_seen_at":"2026-11-29T18:34:49.69+00:00","revoked_at":null}]$rows$);
insert into "kms_keys" select * from json_populate_recordset(null::"kms_keys", $rows$[{"id":"auth-share","fingerprint":"\\xdb1abc0933ea607f5d7917f5acef61dfca6ccbe023a5b0098a7f66d1035fefcd"},  {"id":"recovery","fingerprint":"\\x59ed98d32cbbf86bb2474d4f62dc165083c3b4c1a185c30100035983f3e0c3cd"},  {"id":"lookup","fingerprint":"\\xba74317ee2c1ee2f136d1357321aa3505dcbdedbb2a6154014fa89d4fde2ec27"}]$rows$);
insert into "known_devices" select * from json_populate_recordset(null::"known_devices", $rows$[{"hash":"\\xa028e200ac2f94365e58b1b01bb83cce109a1bd9efaee4d808e4450328255fd9","user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","origin":"http://127.0.0.1:26313","project_id":"local","expires_at":"2027-02-27T18:33:13.542+00:00"},  {"hash":"\\x649a9b56475180cbaa888e0b209e2eef55fb9ffa39349a05d788b6c97464daa3","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","origin":"http://127.0.0.1:26313","project_id":"local","expires_at":"2027-02-27T18:34:23.112+00:00"},  {"hash":"\\x624f64b3bbf4f596bb46c8597dcae8e7829a5b9d029e496f027f1605c7a85d45","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","origin":"http://127.0.0.1:26313","project_id":"local","expires_at":"2027-02-27T18:34:49.69+00:00"}]$rows$);
insert into "kysely_migration" select * from json_populate_recordset(null::"kysely_migration", $rows$[{"name":"0001_projects","timestamp":"2026-11-29T18:32:26.206Z"},  {"name":"0002_auth","timestamp":"2026-11-29T18:32:26.346Z"},  {"name":"0003_vault","timestamp":"2026-11-29T18:32:26.454Z"},  {"name":"0004_activity","timestamp":"2026-11-29T18:32:26.519Z"},  {"name":"0005_nfts","timestamp":"2026-11-29T18:32:26.527Z"},  {"name":"0006_enrolment_version","timestamp":"2026-11-29T18:32:26.529Z"},  {"name":"0007_step_ups","timestamp":"2026-11-29T18:32:26.540Z"},  {"name":"0008_solana_history","timestamp":"2026-11-29T18:32:26.571Z"},  {"name":"0009_bundler","timestamp":"2026-11-29T18:32:26.632Z"},  {"name":"0010_social","timestamp":"2026-11-29T18:32:26.655Z"},  {"name":"0011_names","timestamp":"2026-11-29T18:32:26.673Z"},  {"name":"0012_farcaster","timestamp":"2026-11-29T18:32:26.680Z"},  {"name":"0013_bundle_blocks","timestamp":"2026-11-29T18:32:26.687Z"},  {"name":"0014_passkeys","timestamp":"2026-11-29T18:32:26.708Z"},  {"name":"0015_rendezvous","timestamp":"2026-11-29T18:32:26.717Z"},  {"name":"0016_onramp","timestamp":"2026-11-29T18:32:26.733Z"},  {"name":"0017_approvals","timestamp":"2026-11-29T18:32:26.756Z"},  {"name":"0018_siwx","timestamp":"2026-11-29T18:32:26.784Z"},  {"name":"0019_price_points","timestamp":"2026-11-29T18:32:26.807Z"},  {"name":"0020_sponsorships","timestamp":"2026-11-29T18:32:26.827Z"},  {"name":"0021_sessions","timestamp":"2026-11-29T18:32:26.859Z"},  {"name":"0022_session_blocks","timestamp":"2026-11-29T18:32:26.863Z"},  {"name":"0023_primary_names","timestamp":"2026-11-29T18:32:26.868Z"},  {"name":"0024_moves","timestamp":"2026-11-29T18:32:26.887Z"},  {"name":"0025_onramp_asks","timestamp":"2026-11-29T18:32:26.891Z"},  {"name":"0026_permission_roots","timestamp":"2026-11-29T18:32:26.898Z"},  {"name":"0027_first_email","timestamp":"2026-11-29T18:32:26.907Z"},  {"name":"0028_email_added","timestamp":"2026-11-29T18:32:26.917Z"},  {"name":"0029_onramp_sources","timestamp":"2026-11-29T18:32:26.925Z"},  {"name":"0030_older_step_ups","timestamp":"2026-11-29T18:32:26.927Z"},  {"name":"0031_account_types","timestamp":"2026-11-29T18:32:26.932Z"}]$rows$);
insert into "kysely_migration_lock" select * from json_populate_recordset(null::"kysely_migration_lock", $rows$[{"id":"migration_lock","is_locked":0}]$rows$);
insert into "logins" select * from json_populate_recordset(null::"logins", $rows$[{"hash":"\\xa1a25e204ca51d635ca5fe5c2cfc716feeb2a68948918421b56d033d4c51d3c3","purpose":"login","email_index":"\\x8134059c88c3929c5ea3824d94b1fe18f07608496982dcd86401d18d4e44b785","email_sealed":"\\xe739c659eb61de3a0c21b52a4526b5a278dfe01b0cfd52e99b1f5642028a5f3816cefb6e703c45f00132ec6a6a8a","session_id":null,"jkt":"xikaEZS1aL3b0fkMhnmAey513ak95-3StZm2pr91Qu0","origin":"http://127.0.0.1:26313","project_id":"local","browser":"Chrome on Linux","match_code":"96","known_hash":null,"link_hash":"\\xbba0a2fc503a8a7fabfb846a3ded471b69e4578acfff6beff9f73d7eead233f3","link_tries":1,"link_expires_at":"2026-11-29T18:43:08.415+00:00","approved_at":"2026-11-29T18:33:11.551+00:00","finished_at":"2026-11-29T18:33:13.542+00:00","created_at":"2026-11-29T18:33:08.393+00:00","expires_at":"2026-11-29T19:03:08.393+00:00","action":null},  {"hash":"\\x1340529e4de9b513154a3244e1b99937906c3d19a0185f421497d8c80b0f8822","purpose":"step-up","email_index":"\\x8134059c88c3929c5ea3824d94b1fe18f07608496982dcd86401d18d4e44b785","email_sealed":"\\xe739c659eb61de3a0c21b52a4526b5a278dfe01b0cfd52e99b1f5642028a5f3816cefb6e703c45f00132ec6a6a8a","session_id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","jkt":"xikaEZS1aL3b0fkMhnmAey513ak95-3StZm2pr91Qu0","origin":"http://127.0.0.1:26313","project_id":"local","browser":"Chrome on Linux","match_code":"57","known_hash":null,"link_hash":null,"link_tries":0,"link_expires_at":null,"approved_at":"2026-11-29T18:33:45.024+00:00","finished_at":"2026-11-29T18:33:46.904+00:00","created_at":"2026-11-29T18:33:45.024+00:00","expires_at":"2026-11-29T19:03:45.024+00:00","action":"allow 0p0dBWGUj4uVUr5pYILUNA"},  {"hash":"\\x6d9479de5844ef5ec35ab6ed2a00c824f9235f731b728a9b0e65a2c6bd45622c","purpose":"login","email_index":"\\xbe0b9e7a9a45a5c2b56252671e91feea03332b2cba93923dd08aa843ab996a8d","email_sealed":"\\x3febf212552911000d78f65aed70f2681156c3e78390d34a3f8586e06812c3f4b547cd1a35cef164453e5db0ca1a3465","session_id":null,"jkt":"YkmO2mFyxUCwALDAUr_kwPf0C336doB87Ttoa1tozIg","origin":"http://127.0.0.1:26313","project_id":"local","browser":"Chrome on Linux","match_code":"81","known_hash":null,"link_hash":"\\xfa5890e4a0b598a84ce913ee1c4b389224a05d035f5d1ff2ba1832339918fdf6","link_tries":1,"link_expires_at":"2026-11-29T18:44:16.667+00:00","approved_at":"2026-11-29T18:34:21.103+00:00","finished_at":"2026-11-29T18:34:23.112+00:00","created_at":"2026-11-29T18:34:16.509+00:00","expires_at":"2026-11-29T19:04:16.509+00:00","action":null},  {"hash":"\\xd24b86b0dd069f445a0b1a57c6cfafe3f12d7bc10c56661ad055da2dbc8afb7f","purpose":"login","email_index":"\\x2af3b19688476cc0758924fd0706486b9fce5bf033ecb0689a677032dc8ece92","email_sealed":"\\x4e591dbc0bfdf5f18a2ab8cf7b3c9420fefad7821018d283be2a7e5a998b2eb1de582672ce4da9ce2eab84d36b2501","session_id":null,"jkt":"A9f7uJB4HrgsISxfz-vBnE0XhiIz64pDocKdcDz_zXQ","origin":"http://127.0.0.1:26313","project_id":"local","browser":"Chrome on Linux","match_code":"25","known_hash":null,"link_hash":"\\x8ba5e0ead91935a886d83e2502e338f4027944d6048a5dfdcaceacf20460a9e8","link_tries":1,"link_expires_at":"2026-11-29T18:44:44.359+00:00","approved_at":"2026-11-29T18:34:48.011+00:00","finished_at":"2026-11-29T18:34:49.69+00:00","created_at":"2026-11-29T18:34:44.356+00:00","expires_at":"2026-11-29T19:04:44.356+00:00","action":null},  {"hash":"\\x33d06a0d48bf0a38aec774329c105dea67795363a2f23df3161005c75dfc2c50","purpose":"step-up","email_index":"\\x2af3b19688476cc0758924fd0706486b9fce5bf033ecb0689a677032dc8ece92","email_sealed":"\\x4e591dbc0bfdf5f18a2ab8cf7b3c9420fefad7821018d283be2a7e5a998b2eb1de582672ce4da9ce2eab84d36b2501","session_id":"4095a66e-fa48-4540-b24a-92f090edc9f0","jkt":"A9f7uJB4HrgsISxfz-vBnE0XhiIz64pDocKdcDz_zXQ","origin":"http://127.0.0.1:26313","project_id":"local","browser":"Chrome on Linux","match_code":"32","known_hash":null,"link_hash":null,"link_tries":0,"link_expires_at":null,"approved_at":"2026-11-29T18:35:04.507+00:00","finished_at":"2026-11-29T18:35:05.72+00:00","created_at":"2026-11-29T18:35:04.507+00:00","expires_at":"2026-11-29T19:05:04.507+00:00","action":"fresh wallet"}]$rows$);
insert into "name_addresses" select * from json_populate_recordset(null::"name_addresses", $rows$[{"name":"ada-stored.latchkey.id","coin_type":60,"address":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","created_at":"2026-11-29T18:33:55.133+00:00"},  {"name":"ada-stored.latchkey.id","coin_type":2147514985,"address":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","created_at":"2026-11-29T18:33:55.133+00:00"}]$rows$);
insert into "name_messages" select * from json_populate_recordset(null::"name_messages", $rows$[{"hash":"\\xcaa40d6fc856b7c68cd4a54c911d95772a650124b60c05170d8b9b275bd7ed28","expires_at":"2026-11-29T18:44:15.14+00:00"}]$rows$);
insert into "names" select * from json_populate_recordset(null::"names", $rows$[{"name":"ada-stored.latchkey.id","zone":"latchkey.id","skeleton":"ada-stored","owner":"\\x95b2854ab0fa00aea705c4a983019f5d84793c8e","owner_chain":"eip155:31337","confirmed":true,"attributes":{},"registered_at":"2026-11-29T18:33:55.133+00:00","updated_at":"2026-11-29T18:33:55.133+00:00","released_at":null,"primary_at":null}]$rows$);
insert into "onramp_orders" select * from json_populate_recordset(null::"onramp_orders", $rows$[{"id":"hlYzYwB8dWtdEifxQGHjX7xk","provider":"local","chain_id":"eip155:31337","address":"0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e","account":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","asset":"native","symbol":"ETH","decimals":18,"payment_amount":"150","payment_currency":"USD","payment_method":"card","status":"created","reason":null,"transaction_hash":null,"reported_at":null,"received":null,"created_at":"2026-11-29T18:34:03.422+00:00","ask_at":"2026-11-29T18:35:03.422+00:00","source":993}]$rows$);
insert into "passkey_challenges" select * from json_populate_recordset(null::"passkey_challenges", $rows$[{"hash":"\\x25f34ad36edd7d359635bcabb8517720ec227e38f04bebd6097da53943a0042a","purpose":"step-up","action":"allow 0p0dBWGUj4uVUr5pYILUNA","jkt":"xikaEZS1aL3b0fkMhnmAey513ak95-3StZm2pr91Qu0","session_id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","origin":"http://127.0.0.1:26313","project_id":"local","user_handle":null,"expires_at":"2026-11-29T18:38:44.431+00:00"},  {"hash":"\\x541da7f723133cff11f744826d6640a30d6f0393e985bbfbcf626b4ab201c8f9","purpose":"step-up","action":"fresh wallet","jkt":"A9f7uJB4HrgsISxfz-vBnE0XhiIz64pDocKdcDz_zXQ","session_id":"4095a66e-fa48-4540-b24a-92f090edc9f0","origin":"http://127.0.0.1:26313","project_id":"local","user_handle":null,"expires_at":"2026-11-29T18:40:04.326+00:00"}]$rows$);
insert into "passkeys" select * from json_populate_recordset(null::"passkeys", $rows$[{"credential_id":"0YOjQp6UhJBGMnAsbzE6NYJ_44_yMAyIW7iL7YUQ20k","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","user_handle":"\\xd81d083da30c1f5b58c2377e5ec3e490d9b1c975489c2f854662a1d3f544804a","public_key":"\\xa5010203262001215820fd792b782bd16023616f9de6546c3e2fc87a5b9cb06b28c17f056d4833e13dd12258205c9d34c1b41389eb528a3163c031496d6c11e523a44eb39bd19b20e2fe852589","counter":1,"created_at":"2026-11-29T18:34:26.493+00:00"}]$rows$);
insert into "permission_roots" select * from json_populate_recordset(null::"permission_roots", $rows$[{"day":20786,"wrapped":"\\x000000016ed9ef5688a78b561a17bdb48b15653054afb43963e217e405fc3e24b55763795c45185f7f7ea52b4dd8c7ee3372ef3a8f0f8374953e29bdec043f81"}]$rows$);
insert into "permission_sessions" select * from json_populate_recordset(null::"permission_sessions", $rows$[{"pci":"38b77354-f933-4ca1-bcd4-5f3439d2d2e9","project_id":"local","origin":"http://127.0.0.1:26313","chain_id":"eip155:31337","account":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","expiry":1797705219,"signer":"{\"type\":\"keys\",\"data\":{\"keys\":[{\"type\":\"secp256k1\",\"publicKey\":\"0x04a4e869d0705d0bdb21a587a3d67149c76223a51a18f61d771ccf1c2de9564a5d737ee1ad238f0de911949513bfcd999ce79dce545323b87dbd5e1d7df3767495\"}]}}","permissions":"[{\"type\":\"native-token-recurring-allowance\",\"data\":{\"allowance\":\"0x16345785d8a0000\",\"start\":1795977219,\"period\":86400}},{\"type\":\"erc20-recurring-allowance\",\"data\":{\"token\":\"0xA15BB66138824a1c7167f5E85b957d04Dd34E468\",\"allowance\":\"0x5f5e100\",\"start\":1795977219,\"period\":86400}}]","delegate":"0x3407a87b3c400e8155d5b6a92775220fe424b39e","key_wrapped":"\\x000000014f4197afbdff4090a2ec98223ed3662259cc7a9eb40b7ddfbcea2aa4855c00d9c56f7fca7d38afa3d6ae38bb4dec469734c4f837cc2014c48407995b","key_sealed":"\\x644e024c3c4a716c95e0068088b955fdaa15561bfd123d19e5f75fd04840eac922e7036d90c65acc6abb87ec277df95574086b2e85f0edf1a2685cfe","created_at":"2026-11-29T18:33:48.514+00:00","activated_at":"2026-11-29T18:33:48.514+00:00","revoked_at":null,"granted_block":124}]$rows$);
insert into "recovery_factors" select * from json_populate_recordset(null::"recovery_factors", $rows$[{"id":"118bdd54ab1020b7f04d00f7159bab55","wallet_id":"bf7beec5139d4babbf97d7f35edde280","kind":"kit","wrap":{"ct": "6qeinNvFpSFq8spt2Wehuj3S-OlNZGha5Z67Zwi0pGgVmbmWSDkHd1M4GGYp8cOm", "iv": "j3zxfddKVoV26j4y"},"credential_id":null,"label":null,"operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-29T18:33:18.68+00:00"},  {"id":"68ac66ce31d3d4145796888a8a86aa01","wallet_id":"91f68cd742380aaec78b542ad071b05a","kind":"passkey","wrap":{"ct": "Bpafb_kIOXOsyqkUZ9yMlWubJWVlZIgpP2dayTIyDxHJ092pwyNEy3FzWKyghuIn", "iv": "R7MMeyGsjLS9g56e"},"credential_id":"0YOjQp6UhJBGMnAsbzE6NYJ_44_yMAyIW7iL7YUQ20k","label":"Nov 29, 2026, 6:34 PM","operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-29T18:34:28.711+00:00"},  {"id":"9d4de189e1aa149310598b3db0790e3d","wallet_id":"ae0ed6d920c502f2ef116cbff44c1336","kind":"kit","wrap":{"ct": "yC5wYrHJVKxNWwYYoCrcYoj6HegVNCiKk1PQojQ2V0JKZB_qJ7mbvYnBWxbm2Ul5", "iv": "CmtgRmliJdXcskwj"},"credential_id":null,"label":null,"operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-29T18:34:53.832+00:00"},  {"id":"fa563a62dfb8ebde75fbb5669569ddd5","wallet_id":"acfa55921bade52618e447a6c9f2ad08","kind":"kit","wrap":{"ct": "yWAXHcWVccC2pikMH1xdlZTo6JRtWZynkVmcRtqBhRCfGRksZlFPI6K0xPNAulkl", "iv": "86QCcrHSm3jcd7EW"},"credential_id":null,"label":null,"operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-29T18:35:07.77+00:00"}]$rows$);
insert into "session_tokens" select * from json_populate_recordset(null::"session_tokens", $rows$[{"hash":"\\x218c87eda4b520a497cae1447ddd468a1ce4f7318315cd0348bff72918c45c79","session_id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","kind":"access","expires_at":"2026-11-29T18:43:46.904+00:00","used_at":null},  {"hash":"\\x3f24d94cdc3cd9ce16a90f55ef96d1753c3c19642d6e756206aca2ad59e82094","session_id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","kind":"refresh","expires_at":"2026-12-06T18:33:46.904+00:00","used_at":null},  {"hash":"\\x0fdf3f695a085592e30ee976da4441c2fe3d55d2f8180991d3f37db8d6695d8d","session_id":"dda0703f-3b69-4e3f-ace9-f1fdb054c1af","kind":"access","expires_at":"2026-11-29T18:44:23.112+00:00","used_at":null},  {"hash":"\\x1061aa392b03f9565720cb00d3720cdcbd150386941c1bdadf4a98ec66fcd679","session_id":"dda0703f-3b69-4e3f-ace9-f1fdb054c1af","kind":"refresh","expires_at":"2026-12-06T18:34:23.112+00:00","used_at":null},  {"hash":"\\xc02a1e6ce68f4ce981e9935ba73dd2e4739c2ac1a118d6013b59c932f8508082","session_id":"4095a66e-fa48-4540-b24a-92f090edc9f0","kind":"access","expires_at":"2026-11-29T18:45:05.72+00:00","used_at":null},  {"hash":"\\x9d8190f57bd0d7c513f3863224ab306d2b6153a02229ddf82a8d75d09689b1c9","session_id":"4095a66e-fa48-4540-b24a-92f090edc9f0","kind":"refresh","expires_at":"2026-12-06T18:35:05.72+00:00","used_at":null}]$rows$);
insert into "sessions" select * from json_populate_recordset(null::"sessions", $rows$[{"id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","created_at":"2026-11-29T18:33:13.542+00:00","used_at":"2026-11-29T18:33:46.904+00:00","ends_at":"2026-12-29T18:33:13.542+00:00","ended_at":null,"recovery_until":null},  {"id":"dda0703f-3b69-4e3f-ace9-f1fdb054c1af","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","created_at":"2026-11-29T18:34:23.112+00:00","used_at":"2026-11-29T18:34:23.112+00:00","ends_at":"2026-12-29T18:34:23.112+00:00","ended_at":null,"recovery_until":null},  {"id":"4095a66e-fa48-4540-b24a-92f090edc9f0","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","device_id":"247681c2-a41b-4495-b190-fc09cc392782","created_at":"2026-11-29T18:34:49.69+00:00","used_at":"2026-11-29T18:35:05.72+00:00","ends_at":"2026-12-29T18:34:49.69+00:00","ended_at":null,"recovery_until":null}]$rows$);
insert into "siwx_nonces" select * from json_populate_recordset(null::"siwx_nonces", $rows$[{"nonce":"b9ae8e1bc5a32bfd654956427f240db8","project_id":"local","origin":"http://127.0.0.1:26313","account":null,"expires_at":"2026-11-29T18:43:26.123+00:00"}]$rows$);
insert into "siwx_sessions" select * from json_populate_recordset(null::"siwx_sessions", $rows$[{"id":"1pqsN92ltDDhe4JG","secret_hash":"\\xed06c0aff519e7b350625cfdab8ea0f1fdbc2409e8a73449ca2925f62dc6b777","project_id":"local","origin":"http://127.0.0.1:26313","account":"eip155:0x95b2854ab0fa00aea705c4a983019f5d84793c8e","chain_id":"eip155:31337","address":"0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e","csrf":null,"created_at":"2026-11-29T18:33:26.089+00:00","expires_at":"2026-12-06T18:33:26.089+00:00"}]$rows$);
insert into "sponsored_days" select * from json_populate_recordset(null::"sponsored_days", $rows$[{"chain_id":"eip155:31337","account":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","day":"2026-11-29","wei":572288126627495},  {"chain_id":"eip155:31337","account":"all","day":"2026-11-29","wei":572288126627495}]$rows$);
insert into "sponsorships" overriding system value select * from json_populate_recordset(null::"sponsorships", $rows$[{"id":1,"chain_id":"eip155:31337","account":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","nonce":2083284117120045322904038531070536616875831670337085374464,"day":"2026-11-29","wei":261779062041623,"valid_until":1795977813},  {"id":2,"chain_id":"eip155:31337","account":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","nonce":2932298456795603739015353264456440520733383207253725675520,"day":"2026-11-29","wei":310509064585872,"valid_until":1795977821}]$rows$);
insert into "step_ups" select * from json_populate_recordset(null::"step_ups", $rows$[{"session_id":"8e0200a6-006a-4a60-9bed-08a57cfc465a","action":"allow 0p0dBWGUj4uVUr5pYILUNA","expires_at":"2026-11-29T18:38:46.904+00:00","by_passkey":false,"older_until":null}]$rows$);
insert into "user_operation_bundles" select * from json_populate_recordset(null::"user_operation_bundles", $rows$[{"chain_id":"eip155:31337","hash":"0xca4abc5c32b139d24f5ed894cbb69797aa9c11419af9d74790ad9376c0b6bf68","raw":"0x04f904b2827a6980843b9aca00843b9acaed83077db6944337084d9e255ff0702461cf8895ce9e3b5ff10880b903e4765e827f000000000000000000000000000000000000000000000000000000000000004000000000000000000000000023618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f0000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000002000000000000000000000000095b2854ab0fa00aea705c4a983019f5d84793c8e000000000000000054f68044f313426eb012beee3e7cd9f500000000000000000000000000000000000000000000000000000000000000000000000000000120000000000000000000000000000000000000000000000000000000000000016000000000000000000000000000013ace00000000000000000000000000005da90000000000000000000000000000000000000000000000000000000000012d9c0000000000000000000000003b9aca000000000000000000000000003b9acaed000000000000000000000000000000000000000000000000000000000000022000000000000000000000000000000000000000000000000000000000000002e0000000000000000000000000000000000000000000000000000000000000000277020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000084b61d27f600000000000000000000000090f79bf6eb2c4f870365e785982e1f101e93b90600000000000000000000000000000000000000000000000003782dace9d90000000000000000000000000000000000000000000000000000000000000000006000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000817d3a31e45adfc5b5c95da3ba89625b61d448dd91000000000000000000000000000138800000000000000000000000000000000000006b0c7255000000000000b1e6b97b26d2934e8f937dcfe58a28b6249b4dc7fee4886601f2083109e66080131d5c316151649a07f6e68a60be39e59c0e8ffd40b47f2e7c1a237da5ec9fb31b000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000041b376576e3a7dad52e14d4c046e19f04178ff522368436ce429b110daea079fae3a3982e65ab3655877a1b456e7592bacd9dfb6aaa89195192b9cc69dcd6978221b00000000000000000000000000000000000000000000000000000000000000c0f85ef85c827a6994e6cae83bde06e4c305530e199d7217f42808555b8080a09b04e07dc5d83b17df1a4e29351d8357d112d30f62dd78866a8fe27b4b057c8da055134a866eee33b53eb1a6e30496ee2547f1abb5ca004c714a1c6b3ac3e83f64019fcce7706b54b9a2b0e2cdf48224417e45808cc563dc1990e879b0067ae7b21ba021061fef3bc37857cb7fbc8f49045d1bd4eaabb06d1149729deef484b5b7b423","nonce":0,"settled":true,"created_at":"2026-11-29T18:33:38.490669+00:00","block_number":123},  {"chain_id":"eip155:31337","hash":"0x7d11388430559b12bca2e1fb795713664ba2609f8c6c16236b1b21bfbd1d190e","raw":"0x04f90553827a6901843b9aca00843b9acad083083f15944337084d9e255ff0702461cf8895ce9e3b5ff10880b90484765e827f000000000000000000000000000000000000000000000000000000000000004000000000000000000000000023618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f0000000000000000000000000000000000000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000002000000000000000000000000095b2854ab0fa00aea705c4a983019f5d84793c8e000000000000000077969fd5b436bc3ac6b05281da03b76e0000000000000000000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000001600000000000000000000000000001432000000000000000000000000000010e2500000000000000000000000000000000000000000000000000000000000133280000000000000000000000003b9aca000000000000000000000000003b9acad000000000000000000000000000000000000000000000000000000000000002c00000000000000000000000000000000000000000000000000000000000000380000000000000000000000000000000000000000000000000000000000000000277020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000124b61d27f600000000000000000000000095b2854ab0fa00aea705c4a983019f5d84793c8e000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000084055f156d0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000295f109ef06b5c631b2bbcd2fd2a99cbeaaabe4e4429927350ae6c2eeb099c867ea7d6765e86774fc73993f270a0b4279a929aafcd00a6335f79cdc32ad75bb47000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000817d3a31e45adfc5b5c95da3ba89625b61d448dd91000000000000000000000000000138800000000000000000000000000000000000006b0c725d000000000000b9a5a5bfbd2039e5815b285dfaa8878147cc195ca41d97388230b91cff7762756006bc3236068ab52811b1f8829d7461cebe38ccde8b0c35561acd7633f36a761c0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000418161ac22b9526c591497ba59aa14d4b8790d4244db83bd704abf1b746574f7900006e6b1e97c25696f8db850bfb7a2494508085634ca60a1c2331bb86e7c08151c00000000000000000000000000000000000000000000000000000000000000c0f85ef85c827a6994b0d2ed8a9c3d6b6f164c51152d3bb9022c0210190180a074331905547fe9c5564c1be45d13b45fa700d5e9ac1f8d07d085a23a9b3d0136a00ae0e4ea78136c2857a39db77b957498b301be2efac5d441406105d65a0ebeda80a03bb6a292d45711c951b02649a93f01a856e84a58a88da0498169f0db891ac78fa056af08389cf9e6d381089d5574a0602003046d0df0c9092588eaea1d91359e1d","nonce":1,"settled":true,"created_at":"2026-11-29T18:33:48.406935+00:00","block_number":124}]$rows$);
insert into "user_operations" select * from json_populate_recordset(null::"user_operations", $rows$[{"chain_id":"eip155:31337","hash":"0x98acda71c3be50a3fe3405e5c15918d29faa93343c956bd76237bd9d002811ff","sender":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","nonce":"2083284117120045322904038531070536616875831670337085374464","operation":{"nonce": "0x54f68044f313426eb012beee3e7cd9f50000000000000000", "sender": "0x95b2854ab0fa00aea705c4a983019f5d84793c8e", "factory": "0x7702", "callData": "0xb61d27f600000000000000000000000090f79bf6eb2c4f870365e785982e1f101e93b90600000000000000000000000000000000000000000000000003782dace9d9000000000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000000", "paymaster": "0x7d3a31e45adfc5b5c95da3ba89625b61d448dd91", "signature": "0xb376576e3a7dad52e14d4c046e19f04178ff522368436ce429b110daea079fae3a3982e65ab3655877a1b456e7592bacd9dfb6aaa89195192b9cc69dcd6978221b", "eip7702Auth": {"r": "0x9b04e07dc5d83b17df1a4e29351d8357d112d30f62dd78866a8fe27b4b057c8d", "s": "0x55134a866eee33b53eb1a6e30496ee2547f1abb5ca004c714a1c6b3ac3e83f64", "nonce": "0x0", "address": "0xe6cae83bde06e4c305530e199d7217f42808555b", "chainId": "0x7a69", "yParity": "0x0"}, "factoryData": "0x", "callGasLimit": "0x5da9", "maxFeePerGas": "0x3b9acaed", "paymasterData": "0x00006b0c7255000000000000b1e6b97b26d2934e8f937dcfe58a28b6249b4dc7fee4886601f2083109e66080131d5c316151649a07f6e68a60be39e59c0e8ffd40b47f2e7c1a237da5ec9fb31b", "preVerificationGas": "0x12d9c", "maxPriorityFeePerGas": "0x3b9aca00", "verificationGasLimit": "0x13ace", "paymasterPostOpGasLimit": "0x0", "paymasterVerificationGasLimit": "0x13880"},"max_priority_fee":"1000000000","status":"included","bundle_hash":"0xca4abc5c32b139d24f5ed894cbb69797aa9c11419af9d74790ad9376c0b6bf68","reason":null,"tries":0,"created_at":"2026-11-29T18:33:38.273893+00:00","changed_at":"2026-11-29T18:33:38.62414+00:00"},  {"chain_id":"eip155:31337","hash":"0x04e964d1bc8c4efb776f5667fbad9cc04be80857f0e4ac3ea42ccd0e78154909","sender":"0x95b2854ab0fa00aea705c4a983019f5d84793c8e","nonce":"2932298456795603739015353264456440520733383207253725675520","operation":{"nonce": "0x77969fd5b436bc3ac6b05281da03b76e0000000000000000", "sender": "0x95b2854ab0fa00aea705c4a983019f5d84793c8e", "factory": "0x7702", "callData": "0xb61d27f600000000000000000000000095b2854ab0fa00aea705c4a983019f5d84793c8e000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000084055f156d0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000295f109ef06b5c631b2bbcd2fd2a99cbeaaabe4e4429927350ae6c2eeb099c867ea7d6765e86774fc73993f270a0b4279a929aafcd00a6335f79cdc32ad75bb4700000000000000000000000000000000000000000000000000000000", "paymaster": "0x7d3a31e45adfc5b5c95da3ba89625b61d448dd91", "signature": "0x8161ac22b9526c591497ba59aa14d4b8790d4244db83bd704abf1b746574f7900006e6b1e97c25696f8db850bfb7a2494508085634ca60a1c2331bb86e7c08151c", "eip7702Auth": {"r": "0x74331905547fe9c5564c1be45d13b45fa700d5e9ac1f8d07d085a23a9b3d0136", "s": "0x0ae0e4ea78136c2857a39db77b957498b301be2efac5d441406105d65a0ebeda", "nonce": "0x1", "address": "0xb0d2ed8a9c3d6b6f164c51152d3bb9022c021019", "chainId": "0x7a69", "yParity": "0x0"}, "factoryData": "0x", "callGasLimit": "0x10e25", "maxFeePerGas": "0x3b9acad0", "paymasterData": "0x00006b0c725d000000000000b9a5a5bfbd2039e5815b285dfaa8878147cc195ca41d97388230b91cff7762756006bc3236068ab52811b1f8829d7461cebe38ccde8b0c35561acd7633f36a761c", "preVerificationGas": "0x13328", "maxPriorityFeePerGas": "0x3b9aca00", "verificationGasLimit": "0x14320", "paymasterPostOpGasLimit": "0x0", "paymasterVerificationGasLimit": "0x13880"},"max_priority_fee":"1000000000","status":"included","bundle_hash":"0x7d11388430559b12bca2e1fb795713664ba2609f8c6c16236b1b21bfbd1d190e","reason":null,"tries":0,"created_at":"2026-11-29T18:33:48.367725+00:00","changed_at":"2026-11-29T18:33:48.438069+00:00"}]$rows$);
insert into "users" select * from json_populate_recordset(null::"users", $rows$[{"id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","email_index":"\\x8134059c88c3929c5ea3824d94b1fe18f07608496982dcd86401d18d4e44b785","email_sealed":"\\xe739c659eb61de3a0c21b52a4526b5a278dfe01b0cfd52e99b1f5642028a5f3816cefb6e703c45f00132ec6a6a8a","created_at":"2026-11-29T18:33:13.542+00:00","undo_until":null,"passkey_lost_at":null,"email_added_at":null},  {"id":"4c4fb6d1-70cd-434b-bdac-679d32693887","email_index":"\\xbe0b9e7a9a45a5c2b56252671e91feea03332b2cba93923dd08aa843ab996a8d","email_sealed":"\\x3febf212552911000d78f65aed70f2681156c3e78390d34a3f8586e06812c3f4b547cd1a35cef164453e5db0ca1a3465","created_at":"2026-11-29T18:34:23.112+00:00","undo_until":null,"passkey_lost_at":null,"email_added_at":null},  {"id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","email_index":"\\x2af3b19688476cc0758924fd0706486b9fce5bf033ecb0689a677032dc8ece92","email_sealed":"\\x4e591dbc0bfdf5f18a2ab8cf7b3c9420fefad7821018d283be2a7e5a998b2eb1de582672ce4da9ce2eab84d36b2501","created_at":"2026-11-29T18:34:49.69+00:00","undo_until":null,"passkey_lost_at":null,"email_added_at":null}]$rows$);
insert into "vault_users" select * from json_populate_recordset(null::"vault_users", $rows$[{"user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","key_wrapped":"\\x0000000150ca5f44c07940ab4c99c21e41305c42ab6246b8688171712561ed6b26e8e715eca8ae2233e502bdfd331c346fbadf6ce2ea0d1a6035310c4a5b5ce0","key_id":"auth-share/1","created_at":"2026-11-29T18:33:18.287+00:00"},  {"user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","key_wrapped":"\\x00000001f1e6b904171416507df2f0341a5830486e3261deb0db7c8b88952664d371545c71dfa8553e31c0389c89a7b401c1e103ce858993b6e892cfd764e49b","key_id":"auth-share/1","created_at":"2026-11-29T18:34:27.943+00:00"},  {"user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","key_wrapped":"\\x000000012ee1bdf5ca861a22df2f8f12218c756af185e0f99e976a6b1b1104ce0df6baf3d437be1d009711aca8b04951693daaa983496fba40eb9113ae9a1d95","key_id":"auth-share/1","created_at":"2026-11-29T18:34:53.648+00:00"}]$rows$);
insert into "wallet_changes" select * from json_populate_recordset(null::"wallet_changes", $rows$[{"id":"f4c9dccaf2fca5f128bd48e585ac23e9","wallet_id":"bf7beec5139d4babbf97d7f35edde280","user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","realm":"main","device_id":"5d27779d-724e-4c9d-a1b0-ae3485a50902","creates":false,"digest":"\\xb76a7d15e7cc3d0a1cbca489f7eab02fab084086ed8adc92b1be1c2079b56225","body":{"seal": {"sealedSeed": {"ct": "xmRj7HyPtq0ru06-Z8HEBrCYbo20eqQEJzDrhWSyPjm7lZQ4cA7U1jStrQlVpziKkDtXJ2dYAw5yY5LKOdERedNNTZA9cux9DnUDXAv0pOQ", "iv": "0-dIub_kMf-meWsf"}, "recoveryKey": "BFoirhJWA2Mn0VYO5n7i-9kZni8NF96ImlIDrhbnMzYDQ0bUfAPxxW9hhCB2KGLNd3n03VGcuLvMYyGlIDJsOCo"}, "epoch": 1, "slots": [{"slot": "5d27779d-724e-4c9d-a1b0-ae3485a50902", "shareSealed": "m8zL5j8Owfa9rVFbmrE3RKVnEe-HA9huqfGZtQxY69MAVAjXS0q_92SUHXLkNdcdsVm1blBFXDpsRDicaA", "sealedRecoveryShare": {"ct": "fG5GEIwL7en9IrREP0LP4teV4wCp2pBohKOGVCQ1G1Ce5GZYqsirobeD0L1yJSwAbg", "enc": "BMgXzD9ROkLv41iwdVhBXxoX9ndOBn6PFfaXjUVWu54B4XVxcQZLlv5SiuWcLx1-Vt3S-MUtIwkCEUTIx052Yrs"}}, {"slot": "recovery", "shareSealed": "TkW5MwVZQAhmZvZAPR3lUC5Pt2V7jh-HxRZL07OaHUJTGLR1xLvI1koL5aeRpi_fiikoPaRitWgeSgKYCA", "sealedRecoveryShare": {"ct": "oT_I5ZUwGqrbfsMl6E0W19pdBnl-SiPF8YKcT_m4FFOAw_zkWkLXPQs2-Z7uCHx3dQ", "enc": "BIlaFTK5rr8Slfeq0BZRXqztoRdjhzEb6YCOh9rsGWzY7J2pnUH8uffbP-rhvt0NvHf3-9GoNe8Q59x8dKIsh6A"}}], "factors": [{"id": "118bdd54ab1020b7f04d00f7159bab55", "kind": "kit", "wrap": {"ct": "6qeinNvFpSFq8spt2Wehuj3S-OlNZGha5Z67Zwi0pGgVmbmWSDkHd1M4GGYp8cOm", "iv": "j3zxfddKVoV26j4y"}}], "manifest": {"text": "{\"v\":1,\"walletId\":\"bf7beec5139d4babbf97d7f35edde280\",\"userId\":\"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e\",\"solana\":\"EBZbvE3nsFQ1c78dFFQKovZGc3fWEZT21SQQWePRgNot\"},\"recoveryKey\":\"BFoirhJWA2Mn0VYO5n7i-9kZni8NF96ImlIDrhbnMzYDQ0bUfAPxxW9hhCB2KGLNd3n03VGcuLvMYyGlIDJsOCo\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"5d27779d-724e-4c9d-a1b0-ae3485a50902\",\"key\":\"BMuMAaezR9ZoHL7OwDUgFABiF3odP3Gs0ZsNKlT9zNvQZOqD8ilvvBaohHHPC1dph_yI5UXBr-ZzgGR2gDZpo_g\"}]}", "signature": "0xa19370c8ab3dda4f33f3b93505b40f8feb042365d277fc6e186c195fc5c4c3fa22adec5faad778d45f7c26ad633ff44a16cc835e23559a62efea526a63db4b1e1c"}, "addresses": {"eip155": "0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e", "solana": "EBZbvE3nsFQ1c78dFFQKovZGc3fWEZT21SQQWePRgNot"}, "deviceKey": "BMuMAaezR9ZoHL7OwDUgFABiF3odP3Gs0ZsNKlT9zNvQZOqD8ilvvBaohHHPC1dph_yI5UXBr-ZzgGR2gDZpo_g", "accountType": "smartAccount", "manifestVersion": 1},"created_at":"2026-11-29T18:33:18.302+00:00","expires_at":"2026-11-29T18:48:18.302+00:00","committed_at":"2026-11-29T18:33:18.904+00:00"},  {"id":"fae62a2aa7d9f8cd0b8d6c5fc06f8c5a","wallet_id":"91f68cd742380aaec78b542ad071b05a","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","realm":"main","device_id":"429792a8-e7f4-420a-bc07-29be7cf79161","creates":false,"digest":"\\x723adfac584403e0035b192e6d52ce47249d8e1286003198a11704cf2ac7c617","body":{"seal": {"sealedSeed": {"ct": "QjsAktmbIEaP-d-3Dln01MMcf9ppUxVRJEXLCrin5i7p_BH-zEOPMviGotc3v58AZKUEZXd1dcZbNqWDV0Xygb34tLGn2vstfufOUjgkWCA", "iv": "PJiGFHGbVY281aaH"}, "recoveryKey": "BBAwD-o3mu4AzzhiDw16K7q_1WfYdT1NlFsePKqu6aXOD5jKgRMjiuV49T7GF0RCuBkONc7JOAv1z7BDpPjeHB8"}, "epoch": 1, "slots": [{"slot": "429792a8-e7f4-420a-bc07-29be7cf79161", "shareSealed": "Ucf-Gn-UPHodbzK0tFF8R9QTeCPkWa4hb-fuIWmCiXsS2VF1pOzPZsHoSEu1-OFLSOrcIN1__OZj9RqmGg", "sealedRecoveryShare": {"ct": "PMN0kcYBQu-Kul8Atl8L6XAhiUyLlqvNd9WC50-VC_K7K9G2Yc3erbxa49ATA7Syww", "enc": "BHLx-idqRz9QrHXwqR9dowaMAQgYHtIofuVQdyqXXVtFZn5afHYONP4AG7Dn8jjobLoG67fGv50MjJqA3EUWooU"}}, {"slot": "recovery", "shareSealed": "SFe0cyxkD7mad0qihjBXve-L2QVZ7QyRpQyhHosYIVZUTRA4ybRd1bPCv6i-g9TfHdAxG9Fh_FvmNmx_Tw", "sealedRecoveryShare": {"ct": "3wrFBEB-vv1ZpVixO8OHpLZ702IvbUvgu94PZsDRofpSdh1edJTK_tA0M3QCiT21AA", "enc": "BJG_z35k0MQwhlG0rCHiZjBPEOpAwUg_yfdywXAQvz6yDZP4svdYzEj4VNGT4zhRjW3kc4-xrBEz1NH8tVO9mko"}}], "factors": [{"id": "68ac66ce31d3d4145796888a8a86aa01", "kind": "passkey", "wrap": {"ct": "Bpafb_kIOXOsyqkUZ9yMlWubJWVlZIgpP2dayTIyDxHJ092pwyNEy3FzWKyghuIn", "iv": "R7MMeyGsjLS9g56e"}, "label": "Nov 29, 2026, 6:34 PM", "credentialId": "0YOjQp6UhJBGMnAsbzE6NYJ_44_yMAyIW7iL7YUQ20k"}], "manifest": {"text": "{\"v\":1,\"walletId\":\"91f68cd742380aaec78b542ad071b05a\",\"userId\":\"4c4fb6d1-70cd-434b-bdac-679d32693887\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x84cd4f72e2b7e87db44D908B4f2343b8Dd3F8885\",\"solana\":\"9SXHPaNwh9ByFUEkT5eRYCMkiRjNQqww8ddEWCcU6MaT\"},\"recoveryKey\":\"BBAwD-o3mu4AzzhiDw16K7q_1WfYdT1NlFsePKqu6aXOD5jKgRMjiuV49T7GF0RCuBkONc7JOAv1z7BDpPjeHB8\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"429792a8-e7f4-420a-bc07-29be7cf79161\",\"key\":\"BBpKcE1U9YIePHmNNwIUM3gxD0LZLyb-12MXvEgsnA8Emexd_pdcvxAHA3LlBvogZU6hKuwsJ_G_e8GU3jGqp-s\"}]}", "signature": "0x6301d23765a4154dc883c10f3e43c4e603999b3ecc42e7083f45560a7f006418352365c34974a135617858cc7986774143678daddcd856d44a504fb8a8d2a4731b"}, "addresses": {"eip155": "0x84cd4f72e2b7e87db44D908B4f2343b8Dd3F8885", "solana": "9SXHPaNwh9ByFUEkT5eRYCMkiRjNQqww8ddEWCcU6MaT"}, "deviceKey": "BBpKcE1U9YIePHmNNwIUM3gxD0LZLyb-12MXvEgsnA8Emexd_pdcvxAHA3LlBvogZU6hKuwsJ_G_e8GU3jGqp-s", "accountType": "smartAccount", "manifestVersion": 1},"created_at":"2026-11-29T18:34:27.964+00:00","expires_at":"2026-11-29T18:49:27.964+00:00","committed_at":"2026-11-29T18:34:28.75+00:00"},  {"id":"00722b48b74d18c17815f4cfcb624deb","wallet_id":"ae0ed6d920c502f2ef116cbff44c1336","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","realm":"main","device_id":"247681c2-a41b-4495-b190-fc09cc392782","creates":false,"digest":"\\x1c1f766a6a4cf376f923b68320df0a50792fa9d97b430d8030f1166f9a4f84d5","body":{"seal": {"sealedSeed": {"ct": "qYbVfElU9VcJMMEE8TZySsCOwUAe43mUKTCocYXSozMYkQi1dnzllDrJr-Kg0nkiS8V-eAhDt9s9ofT39sr8MUYxak7yXZQOr60lW5PdiXw", "iv": "nnancQG4ge5oFy7o"}, "recoveryKey": "BL2TGOQbOp49kO6xOEmBPWiYMDCKm4zphJuOJe5mA9alwKdTKCjzLmOaxQgjnPdzftNIMq75QbM3xPZ_bQ7uj3o"}, "epoch": 1, "slots": [{"slot": "247681c2-a41b-4495-b190-fc09cc392782", "shareSealed": "KPXaDvRMqgqc55EOoFwz75zAeT7bJnORT6CYLdvnT3fEl1wvi_mI1EZ-4nrQ2hb4r2acqW0tq7SzivGBEg", "sealedRecoveryShare": {"ct": "dsdPLTPqTLxQKSdJwhZ-kgVZOtOAx1kXQqQA60ofslN64E696rtz2hf8l7XZgXsHZg", "enc": "BOhdeelTCMIMrfylBhuE1if7JXEqCLAECSfv6FyzZhdGkYDWL0FOkqUdTC8DU1IcR6mVSUlj7cJ6Eo8M5-2q5cw"}}, {"slot": "recovery", "shareSealed": "reo7qAkConJ9ZLXYsH6CrKmKhcc-rbv_AsMAsNnXALqap01QhjslOZycsCpckLvapyMlf2K86TiLLegsNw", "sealedRecoveryShare": {"ct": "D65IvSkN4ePw6o_FKM94J19j2hfwkCwlBwkxf9CPIw-cohTFTdNYfqDbnJqI7KCamg", "enc": "BEgJXL_8UD-mN7OHfCEjUUu-loChLSoEj1NXaJeAxyBsLwTA0ZIpVSndH2FXNvRySjUNl4Hj1NP4cg990XzJ-tw"}}], "factors": [{"id": "9d4de189e1aa149310598b3db0790e3d", "kind": "kit", "wrap": {"ct": "yC5wYrHJVKxNWwYYoCrcYoj6HegVNCiKk1PQojQ2V0JKZB_qJ7mbvYnBWxbm2Ul5", "iv": "CmtgRmliJdXcskwj"}}], "manifest": {"text": "{\"v\":1,\"walletId\":\"ae0ed6d920c502f2ef116cbff44c1336\",\"userId\":\"335119bd-c566-4d4e-a073-a101b0dbb4d3\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x3fdA00dBC559e14B6EC333E84A94f345C7691BA6\",\"solana\":\"8tqR2C5fTE4zzF28LkUtTYXLc72riC8HKY5jMzdJTCHT\"},\"recoveryKey\":\"BL2TGOQbOp49kO6xOEmBPWiYMDCKm4zphJuOJe5mA9alwKdTKCjzLmOaxQgjnPdzftNIMq75QbM3xPZ_bQ7uj3o\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"247681c2-a41b-4495-b190-fc09cc392782\",\"key\":\"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0\"}]}", "signature": "0x78f28638442698774161b29bd54bba2407d5b336bde31010129d2c0da5b267ba72695f772da4dcca3e75bb8f1908c941db0c239d82f981466825e1997f5c8d221b"}, "addresses": {"eip155": "0x3fdA00dBC559e14B6EC333E84A94f345C7691BA6", "solana": "8tqR2C5fTE4zzF28LkUtTYXLc72riC8HKY5jMzdJTCHT"}, "deviceKey": "BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0", "accountType": "smartAccount", "manifestVersion": 1},"created_at":"2026-11-29T18:34:53.665+00:00","expires_at":"2026-11-29T18:49:53.665+00:00","committed_at":"2026-11-29T18:34:53.861+00:00"},  {"id":"b27d798e5066ebbe8576b7d589fe6ad1","wallet_id":"acfa55921bade52618e447a6c9f2ad08","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","realm":"main-1795977307","device_id":"247681c2-a41b-4495-b190-fc09cc392782","creates":false,"digest":"\\x6b8e52114a75965c8bac94ef54093c6d07ace4c07c174a9c7060a7448caa908f","body":{"seal": {"sealedSeed": {"ct": "PcN0cbO3PBzkuqE6fpWGtAQPG7qL2rc3svHjgH-vkpW0Ndu4iInk6fM8wo-jP-s1YOoynRImEnznREHjkB3dtoPsgkUVvo3M_P1NYPVzm5g", "iv": "VE508c1c3fZX2jSg"}, "recoveryKey": "BL3nLdQb4I8b92YN--pi-pe9IMeioZv2E4oj6NQMllfiBi5YsHQPwPeRw4ZDvwJE05o8IN0WNkdPNQwcaQVqchA"}, "epoch": 1, "slots": [{"slot": "247681c2-a41b-4495-b190-fc09cc392782", "shareSealed": "nAymcWMTT1nDIqYqFY4M4fyn1XijHWJ7ciPlKUbcoHcI4R9FOX5NghogQ9odfQbncXbRMUb2Ohyzo2mpEg", "sealedRecoveryShare": {"ct": "pmQSXNnkxBG6W9xgPXiDUrLx0_sB4O_TZ1WSC1Y76JGs409Wlqi7nq0fpBqth1-zjQ", "enc": "BNWUG2R6wHksM3paH-2v9KrWh9AJnBC5bzc6zGrf4jfAp3BMHFtkG8HeSc3ehJ_hXCCPr07AODupkp93-A1Scn0"}}, {"slot": "recovery", "shareSealed": "YAIwf4Y7iJKtNrFnag3OSU5ihgh0vJaWGT7clfiNyRsxPJmd3dytFFTNmbSCpg1gLa3xa83rMaaHUaiynQ", "sealedRecoveryShare": {"ct": "K14PTQagK2quSmMqERSLVimmmUTxfyeeZrY4omgBqN_Z5CFBzxZ1QVtU1zVU_rpsGA", "enc": "BGjXU5DXhxk_PkZC7y2tB_zrXAdRChZpacB7p4s3_fncNJrxUDPB_rNzhBtbFTNTEVxzXQEXa6NCzMgksW-FLl8"}}], "factors": [{"id": "fa563a62dfb8ebde75fbb5669569ddd5", "kind": "kit", "wrap": {"ct": "yWAXHcWVccC2pikMH1xdlZTo6JRtWZynkVmcRtqBhRCfGRksZlFPI6K0xPNAulkl", "iv": "86QCcrHSm3jcd7EW"}}], "manifest": {"text": "{\"v\":1,\"walletId\":\"acfa55921bade52618e447a6c9f2ad08\",\"userId\":\"335119bd-c566-4d4e-a073-a101b0dbb4d3\",\"realm\":\"main-1795977307\",\"addresses\":{\"eip155\":\"0x836548c14c97101cCb28fFb6B2Cca4d7c37Df6fA\",\"solana\":\"9sb2ktdy5v7MbaVUmSVvXDrTUw1rXecdqYHNvY9XpzmZ\"},\"recoveryKey\":\"BL3nLdQb4I8b92YN--pi-pe9IMeioZv2E4oj6NQMllfiBi5YsHQPwPeRw4ZDvwJE05o8IN0WNkdPNQwcaQVqchA\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"247681c2-a41b-4495-b190-fc09cc392782\",\"key\":\"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0\"}]}", "signature": "0x735fdd30480e567c6b964a7ed2821c59b12d5c919e2ba841fe280ec3cbefa9bb5ef89af351d902ff1041adedd909ccab8862eaac3b0cda65ab7443e7a79b25111b"}, "addresses": {"eip155": "0x836548c14c97101cCb28fFb6B2Cca4d7c37Df6fA", "solana": "9sb2ktdy5v7MbaVUmSVvXDrTUw1rXecdqYHNvY9XpzmZ"}, "deviceKey": "BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0", "accountType": "smartAccount", "manifestVersion": 1},"created_at":"2026-11-29T18:35:07.611+00:00","expires_at":"2026-11-29T18:50:07.611+00:00","committed_at":"2026-11-29T18:35:07.812+00:00"}]$rows$);
insert into "wallet_moves" select * from json_populate_recordset(null::"wallet_moves", $rows$[{"user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","from_wallet":"ae0ed6d920c502f2ef116cbff44c1336","body":{"text": "{\"v\":1,\"userId\":\"335119bd-c566-4d4e-a073-a101b0dbb4d3\",\"from\":{\"walletId\":\"ae0ed6d920c502f2ef116cbff44c1336\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x3fdA00dBC559e14B6EC333E84A94f345C7691BA6\",\"solana\":\"8tqR2C5fTE4zzF28LkUtTYXLc72riC8HKY5jMzdJTCHT\"}},\"to\":{\"walletId\":\"acfa55921bade52618e447a6c9f2ad08\",\"realm\":\"main-1795977307\",\"addresses\":{\"eip155\":\"0x836548c14c97101cCb28fFb6B2Cca4d7c37Df6fA\",\"solana\":\"9sb2ktdy5v7MbaVUmSVvXDrTUw1rXecdqYHNvY9XpzmZ\"}}}", "signature": "0x611ad4f92c569a72d1828e0a10fcd2e02adf0f598bd4df0c414ab103b7e9c88c5002caea51be56da652f1938c2a9c9439a08bf590ae45a4b0619f37b68b445ed1c", "toSignature": "0x0c2a8e5304e307e6f92abb732c786960a5cd1c2e10d150547440583b4fc97f093df634c222c587a1fef32a3e5fd893a354f7fee06b10a0852c3d17e5009f9f3f1b"},"created_at":"2026-11-29T18:35:09.786+00:00"}]$rows$);
insert into "wallet_slots" select * from json_populate_recordset(null::"wallet_slots", $rows$[{"wallet_id":"bf7beec5139d4babbf97d7f35edde280","slot":"recovery","change_id":"f4c9dccaf2fca5f128bd48e585ac23e9","epoch":1,"share_sealed":"\\x4e45b933055940086666f6403d1de5502e4fb7657b8e1f87c5164bd3b39a1d425318b475c4bbc8d64a0be5a791a62fdf8a29283da462b5681e4a029808","sealed_recovery":{"ct": "oT_I5ZUwGqrbfsMl6E0W19pdBnl-SiPF8YKcT_m4FFOAw_zkWkLXPQs2-Z7uCHx3dQ", "enc": "BIlaFTK5rr8Slfeq0BZRXqztoRdjhzEb6YCOh9rsGWzY7J2pnUH8uffbP-rhvt0NvHf3-9GoNe8Q59x8dKIsh6A"},"sealed_device":null,"device_key":null,"created_at":"2026-11-29T18:33:18.893+00:00","used_at":"2026-11-29T18:33:18.893+00:00"},  {"wallet_id":"acfa55921bade52618e447a6c9f2ad08","slot":"247681c2-a41b-4495-b190-fc09cc392782","change_id":"b27d798e5066ebbe8576b7d589fe6ad1","epoch":1,"share_sealed":"\\x9c0ca67163134f59c322a62a158e0ce1fca7d578a31d627b7223e52946dca07708e11f45397e4d821a2043da1d7d06e77176d13146f63a1cb3a369a912","sealed_recovery":{"ct": "pmQSXNnkxBG6W9xgPXiDUrLx0_sB4O_TZ1WSC1Y76JGs409Wlqi7nq0fpBqth1-zjQ", "enc": "BNWUG2R6wHksM3paH-2v9KrWh9AJnBC5bzc6zGrf4jfAp3BMHFtkG8HeSc3ehJ_hXCCPr07AODupkp93-A1Scn0"},"sealed_device":null,"device_key":"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0","created_at":"2026-11-29T18:35:07.781+00:00","used_at":"2026-11-29T18:35:19.537+00:00"},  {"wallet_id":"bf7beec5139d4babbf97d7f35edde280","slot":"5d27779d-724e-4c9d-a1b0-ae3485a50902","change_id":"f4c9dccaf2fca5f128bd48e585ac23e9","epoch":1,"share_sealed":"\\x9bcccbe63f0ec1f6bdad515b9ab13744a56711ef8703d86ea9f199b50c58ebd3005408d74b4abff764941d72e435d71db159b56e50455c3a6c44389c68","sealed_recovery":{"ct": "fG5GEIwL7en9IrREP0LP4teV4wCp2pBohKOGVCQ1G1Ce5GZYqsirobeD0L1yJSwAbg", "enc": "BMgXzD9ROkLv41iwdVhBXxoX9ndOBn6PFfaXjUVWu54B4XVxcQZLlv5SiuWcLx1-Vt3S-MUtIwkCEUTIx052Yrs"},"sealed_device":null,"device_key":"BMuMAaezR9ZoHL7OwDUgFABiF3odP3Gs0ZsNKlT9zNvQZOqD8ilvvBaohHHPC1dph_yI5UXBr-ZzgGR2gDZpo_g","created_at":"2026-11-29T18:33:18.893+00:00","used_at":"2026-11-29T18:33:54.513+00:00"},  {"wallet_id":"91f68cd742380aaec78b542ad071b05a","slot":"recovery","change_id":"fae62a2aa7d9f8cd0b8d6c5fc06f8c5a","epoch":1,"share_sealed":"\\x4857b4732c640fb99a774aa2863057bdef8bd90559ed0c91a50ca11e8b182156544d1038c9b45dd5b3c2bfa8be83d4df1dd0311bd161fc5be6366c7f4f","sealed_recovery":{"ct": "3wrFBEB-vv1ZpVixO8OHpLZ702IvbUvgu94PZsDRofpSdh1edJTK_tA0M3QCiT21AA", "enc": "BJG_z35k0MQwhlG0rCHiZjBPEOpAwUg_yfdywXAQvz6yDZP4svdYzEj4VNGT4zhRjW3kc4-xrBEz1NH8tVO9mko"},"sealed_device":null,"device_key":null,"created_at":"2026-11-29T18:34:28.733+00:00","used_at":"2026-11-29T18:34:28.733+00:00"},  {"wallet_id":"91f68cd742380aaec78b542ad071b05a","slot":"429792a8-e7f4-420a-bc07-29be7cf79161","change_id":"fae62a2aa7d9f8cd0b8d6c5fc06f8c5a","epoch":1,"share_sealed":"\\x51c7fe1a7f943c7a1d6f32b4b4517c47d4137823e459ae216fe7ee216982897b12d95175a4eccf66c1e8484bb5f8e14b48eadc20dd7ffce663f51aa61a","sealed_recovery":{"ct": "PMN0kcYBQu-Kul8Atl8L6XAhiUyLlqvNd9WC50-VC_K7K9G2Yc3erbxa49ATA7Syww", "enc": "BHLx-idqRz9QrHXwqR9dowaMAQgYHtIofuVQdyqXXVtFZn5afHYONP4AG7Dn8jjobLoG67fGv50MjJqA3EUWooU"},"sealed_device":null,"device_key":"BBpKcE1U9YIePHmNNwIUM3gxD0LZLyb-12MXvEgsnA8Emexd_pdcvxAHA3LlBvogZU6hKuwsJ_G_e8GU3jGqp-s","created_at":"2026-11-29T18:34:28.733+00:00","used_at":"2026-11-29T18:34:35.305+00:00"},  {"wallet_id":"ae0ed6d920c502f2ef116cbff44c1336","slot":"recovery","change_id":"00722b48b74d18c17815f4cfcb624deb","epoch":1,"share_sealed":"\\xadea3ba80902a2727d64b5d8b07e82aca98a85c73eadbbff02c300b0d9d700ba9aa74d50863b25399c9cb02a5c90bbdaa723257f62bce9388b2de82c37","sealed_recovery":{"ct": "D65IvSkN4ePw6o_FKM94J19j2hfwkCwlBwkxf9CPIw-cohTFTdNYfqDbnJqI7KCamg", "enc": "BEgJXL_8UD-mN7OHfCEjUUu-loChLSoEj1NXaJeAxyBsLwTA0ZIpVSndH2FXNvRySjUNl4Hj1NP4cg990XzJ-tw"},"sealed_device":null,"device_key":null,"created_at":"2026-11-29T18:34:53.847+00:00","used_at":"2026-11-29T18:34:53.847+00:00"},  {"wallet_id":"acfa55921bade52618e447a6c9f2ad08","slot":"recovery","change_id":"b27d798e5066ebbe8576b7d589fe6ad1","epoch":1,"share_sealed":"\\x6002307f863b8892ad36b1676a0dce494e62860874bc9696193edc95f88dc91b313c999ddddcad1454cd99b482a60d602dadf16bcdeb31a68751a8b29d","sealed_recovery":{"ct": "K14PTQagK2quSmMqERSLVimmmUTxfyeeZrY4omgBqN_Z5CFBzxZ1QVtU1zVU_rpsGA", "enc": "BGjXU5DXhxk_PkZC7y2tB_zrXAdRChZpacB7p4s3_fncNJrxUDPB_rNzhBtbFTNTEVxzXQEXa6NCzMgksW-FLl8"},"sealed_device":null,"device_key":null,"created_at":"2026-11-29T18:35:07.781+00:00","used_at":"2026-11-29T18:35:07.781+00:00"},  {"wallet_id":"ae0ed6d920c502f2ef116cbff44c1336","slot":"247681c2-a41b-4495-b190-fc09cc392782","change_id":"00722b48b74d18c17815f4cfcb624deb","epoch":1,"share_sealed":"\\x28f5da0ef44caa0a9ce7910ea05c33ef9cc0793edb2673914fa0982ddbe74f77c4975c2f8bf988d4467ee27ad0da16f8af669ca96d2dabb4b38af18112","sealed_recovery":{"ct": "dsdPLTPqTLxQKSdJwhZ-kgVZOtOAx1kXQqQA60ofslN64E696rtz2hf8l7XZgXsHZg", "enc": "BOhdeelTCMIMrfylBhuE1if7JXEqCLAECSfv6FyzZhdGkYDWL0FOkqUdTC8DU1IcR6mVSUlj7cJ6Eo8M5-2q5cw"},"sealed_device":null,"device_key":"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0","created_at":"2026-11-29T18:34:53.847+00:00","used_at":"2026-11-29T18:35:09.383+00:00"}]$rows$);
insert into "wallets" select * from json_populate_recordset(null::"wallets", $rows$[{"id":"bf7beec5139d4babbf97d7f35edde280","user_id":"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35","realm":"main","epoch":1,"eip155":"0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e","solana":"EBZbvE3nsFQ1c78dFFQKovZGc3fWEZT21SQQWePRgNot","recovery_key":"BFoirhJWA2Mn0VYO5n7i-9kZni8NF96ImlIDrhbnMzYDQ0bUfAPxxW9hhCB2KGLNd3n03VGcuLvMYyGlIDJsOCo","manifest":"{\"v\":1,\"walletId\":\"bf7beec5139d4babbf97d7f35edde280\",\"userId\":\"d5c6c3f0-0765-4b92-a1db-4f0ad0ab5d35\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x95B2854Ab0Fa00Aea705c4A983019F5D84793c8e\",\"solana\":\"EBZbvE3nsFQ1c78dFFQKovZGc3fWEZT21SQQWePRgNot\"},\"recoveryKey\":\"BFoirhJWA2Mn0VYO5n7i-9kZni8NF96ImlIDrhbnMzYDQ0bUfAPxxW9hhCB2KGLNd3n03VGcuLvMYyGlIDJsOCo\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"5d27779d-724e-4c9d-a1b0-ae3485a50902\",\"key\":\"BMuMAaezR9ZoHL7OwDUgFABiF3odP3Gs0ZsNKlT9zNvQZOqD8ilvvBaohHHPC1dph_yI5UXBr-ZzgGR2gDZpo_g\"}]}","manifest_signature":"0xa19370c8ab3dda4f33f3b93505b40f8feb042365d277fc6e186c195fc5c4c3fa22adec5faad778d45f7c26ad633ff44a16cc835e23559a62efea526a63db4b1e1c","manifest_version":1,"sealed_seed":{"ct": "xmRj7HyPtq0ru06-Z8HEBrCYbo20eqQEJzDrhWSyPjm7lZQ4cA7U1jStrQlVpziKkDtXJ2dYAw5yY5LKOdERedNNTZA9cux9DnUDXAv0pOQ", "iv": "0-dIub_kMf-meWsf"},"created_at":"2026-11-29T18:33:18.68+00:00","place":"current","drop_at":null,"account_type":"smartAccount"},  {"id":"91f68cd742380aaec78b542ad071b05a","user_id":"4c4fb6d1-70cd-434b-bdac-679d32693887","realm":"main","epoch":1,"eip155":"0x84cd4f72e2b7e87db44D908B4f2343b8Dd3F8885","solana":"9SXHPaNwh9ByFUEkT5eRYCMkiRjNQqww8ddEWCcU6MaT","recovery_key":"BBAwD-o3mu4AzzhiDw16K7q_1WfYdT1NlFsePKqu6aXOD5jKgRMjiuV49T7GF0RCuBkONc7JOAv1z7BDpPjeHB8","manifest":"{\"v\":1,\"walletId\":\"91f68cd742380aaec78b542ad071b05a\",\"userId\":\"4c4fb6d1-70cd-434b-bdac-679d32693887\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x84cd4f72e2b7e87db44D908B4f2343b8Dd3F8885\",\"solana\":\"9SXHPaNwh9ByFUEkT5eRYCMkiRjNQqww8ddEWCcU6MaT\"},\"recoveryKey\":\"BBAwD-o3mu4AzzhiDw16K7q_1WfYdT1NlFsePKqu6aXOD5jKgRMjiuV49T7GF0RCuBkONc7JOAv1z7BDpPjeHB8\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"429792a8-e7f4-420a-bc07-29be7cf79161\",\"key\":\"BBpKcE1U9YIePHmNNwIUM3gxD0LZLyb-12MXvEgsnA8Emexd_pdcvxAHA3LlBvogZU6hKuwsJ_G_e8GU3jGqp-s\"}]}","manifest_signature":"0x6301d23765a4154dc883c10f3e43c4e603999b3ecc42e7083f45560a7f006418352365c34974a135617858cc7986774143678daddcd856d44a504fb8a8d2a4731b","manifest_version":1,"sealed_seed":{"ct": "QjsAktmbIEaP-d-3Dln01MMcf9ppUxVRJEXLCrin5i7p_BH-zEOPMviGotc3v58AZKUEZXd1dcZbNqWDV0Xygb34tLGn2vstfufOUjgkWCA", "iv": "PJiGFHGbVY281aaH"},"created_at":"2026-11-29T18:34:28.711+00:00","place":"current","drop_at":null,"account_type":"smartAccount"},  {"id":"ae0ed6d920c502f2ef116cbff44c1336","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","realm":"main","epoch":1,"eip155":"0x3fdA00dBC559e14B6EC333E84A94f345C7691BA6","solana":"8tqR2C5fTE4zzF28LkUtTYXLc72riC8HKY5jMzdJTCHT","recovery_key":"BL2TGOQbOp49kO6xOEmBPWiYMDCKm4zphJuOJe5mA9alwKdTKCjzLmOaxQgjnPdzftNIMq75QbM3xPZ_bQ7uj3o","manifest":"{\"v\":1,\"walletId\":\"ae0ed6d920c502f2ef116cbff44c1336\",\"userId\":\"335119bd-c566-4d4e-a073-a101b0dbb4d3\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x3fdA00dBC559e14B6EC333E84A94f345C7691BA6\",\"solana\":\"8tqR2C5fTE4zzF28LkUtTYXLc72riC8HKY5jMzdJTCHT\"},\"recoveryKey\":\"BL2TGOQbOp49kO6xOEmBPWiYMDCKm4zphJuOJe5mA9alwKdTKCjzLmOaxQgjnPdzftNIMq75QbM3xPZ_bQ7uj3o\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"247681c2-a41b-4495-b190-fc09cc392782\",\"key\":\"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0\"}]}","manifest_signature":"0x78f28638442698774161b29bd54bba2407d5b336bde31010129d2c0da5b267ba72695f772da4dcca3e75bb8f1908c941db0c239d82f981466825e1997f5c8d221b","manifest_version":1,"sealed_seed":{"ct": "qYbVfElU9VcJMMEE8TZySsCOwUAe43mUKTCocYXSozMYkQi1dnzllDrJr-Kg0nkiS8V-eAhDt9s9ofT39sr8MUYxak7yXZQOr60lW5PdiXw", "iv": "nnancQG4ge5oFy7o"},"created_at":"2026-11-29T18:34:53.832+00:00","place":"other","drop_at":null,"account_type":"smartAccount"},  {"id":"acfa55921bade52618e447a6c9f2ad08","user_id":"335119bd-c566-4d4e-a073-a101b0dbb4d3","realm":"main-1795977307","epoch":1,"eip155":"0x836548c14c97101cCb28fFb6B2Cca4d7c37Df6fA","solana":"9sb2ktdy5v7MbaVUmSVvXDrTUw1rXecdqYHNvY9XpzmZ","recovery_key":"BL3nLdQb4I8b92YN--pi-pe9IMeioZv2E4oj6NQMllfiBi5YsHQPwPeRw4ZDvwJE05o8IN0WNkdPNQwcaQVqchA","manifest":"{\"v\":1,\"walletId\":\"acfa55921bade52618e447a6c9f2ad08\",\"userId\":\"335119bd-c566-4d4e-a073-a101b0dbb4d3\",\"realm\":\"main-1795977307\",\"addresses\":{\"eip155\":\"0x836548c14c97101cCb28fFb6B2Cca4d7c37Df6fA\",\"solana\":\"9sb2ktdy5v7MbaVUmSVvXDrTUw1rXecdqYHNvY9XpzmZ\"},\"recoveryKey\":\"BL3nLdQb4I8b92YN--pi-pe9IMeioZv2E4oj6NQMllfiBi5YsHQPwPeRw4ZDvwJE05o8IN0WNkdPNQwcaQVqchA\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"247681c2-a41b-4495-b190-fc09cc392782\",\"key\":\"BNtyxSCQgs69GM1cYWI1WvDv-QBSmd33qczs5a-AAgHM1XCOrp7qecz8HZ2yZlJW6yjp0M3cqP-rljdaVmPIqi0\"}]}","manifest_signature":"0x735fdd30480e567c6b964a7ed2821c59b12d5c919e2ba841fe280ec3cbefa9bb5ef89af351d902ff1041adedd909ccab8862eaac3b0cda65ab7443e7a79b25111b","manifest_version":1,"sealed_seed":{"ct": "PcN0cbO3PBzkuqE6fpWGtAQPG7qL2rc3svHjgH-vkpW0Ndu4iInk6fM8wo-jP-s1YOoynRImEnznREHjkB3dtoPsgkUVvo3M_P1NYPVzm5g", "iv": "VE508c1c3fZX2jSg"},"created_at":"2026-11-29T18:35:07.77+00:00","place":"current","drop_at":null,"account_type":"smartAccount"}]$rows$);

alter table activity_blocks add constraint "activity_blocks_chain_id_fkey" FOREIGN KEY (chain_id) REFERENCES activity_chains(chain_id) ON DELETE CASCADE;
alter table devices add constraint "devices_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table email_changes add constraint "email_changes_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table email_changes add constraint "email_changes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table email_undos add constraint "email_undos_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table enrollments add constraint "enrollments_device_id_fkey" FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;
alter table enrollments add constraint "enrollments_met_by_fkey" FOREIGN KEY (met_by) REFERENCES devices(id) ON DELETE CASCADE;
alter table enrollments add constraint "enrollments_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table identities add constraint "identities_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table known_devices add constraint "known_devices_device_id_fkey" FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;
alter table known_devices add constraint "known_devices_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table logins add constraint "logins_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table name_addresses add constraint "name_addresses_name_fkey" FOREIGN KEY (name) REFERENCES names(name) ON DELETE CASCADE;
alter table operator_recoveries add constraint "operator_recoveries_device_id_fkey" FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;
alter table operator_recoveries add constraint "operator_recoveries_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table operator_recoveries add constraint "operator_recoveries_wallet_id_fkey" FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE;
alter table passkey_challenges add constraint "passkey_challenges_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table passkeys add constraint "passkeys_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table permission_uses add constraint "permission_uses_pci_fkey" FOREIGN KEY (pci) REFERENCES permission_sessions(pci) ON DELETE CASCADE;
alter table recovery_factors add constraint "recovery_factors_wallet_id_fkey" FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE;
alter table session_tokens add constraint "session_tokens_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table sessions add constraint "sessions_device_id_fkey" FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;
alter table sessions add constraint "sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table social_logins add constraint "social_logins_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table solana_lists add constraint "solana_lists_account_id_fkey" FOREIGN KEY (account_id) REFERENCES solana_accounts(id) ON DELETE CASCADE;
alter table solana_transactions add constraint "solana_transactions_account_id_fkey" FOREIGN KEY (account_id) REFERENCES solana_accounts(id) ON DELETE CASCADE;
alter table step_ups add constraint "step_ups_session_id_fkey" FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table vault_users add constraint "vault_users_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table wallet_changes add constraint "wallet_changes_device_id_fkey" FOREIGN KEY (device_id) REFERENCES devices(id) ON DELETE CASCADE;
alter table wallet_changes add constraint "wallet_changes_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table wallet_moves add constraint "wallet_moves_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table wallet_slots add constraint "wallet_slots_wallet_id_fkey" FOREIGN KEY (wallet_id) REFERENCES wallets(id) ON DELETE CASCADE;
alter table wallets add constraint "wallets_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
select setval('activity_accounts_id_seq', 24, true);
select setval('solana_accounts_id_seq', 1, false);
select setval('sponsorships_id_seq', 2, true);
