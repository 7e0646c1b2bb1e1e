-- A whole database as the server of an earlier version left it: its tables, and the rows of one user with a wallet.
-- It must migrate and open for ever. Never write it anew to make a test pass.

create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table if not exists "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
create table "projects" ("id" text primary key, "name" text not null, "allowed_origins" text[] default '{}' not null, "created_at" timestamptz default now() not null);
create table users (
    id uuid primary key,
    email_index bytea not null unique,
    email_sealed bytea not null,
    created_at timestamptz not null,
    undo_until timestamptz
  );
create table devices (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    jkt text not null,
    name text not null,
    browser text not null,
    origin text not null,
    project_id text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    revoked_at timestamptz
  );
create unique index devices_live on devices (user_id, jkt) where revoked_at is null;
create table sessions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    created_at timestamptz not null,
    used_at timestamptz not null,
    ends_at timestamptz not null,
    ended_at timestamptz,
    step_up_until timestamptz,
    recovery_until timestamptz
  );
create index sessions_user on sessions (user_id);
create index sessions_device on sessions (device_id);
create table session_tokens (
    hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    kind text not null check (kind in ('access', 'refresh')),
    expires_at timestamptz not null,
    used_at timestamptz
  );
create index session_tokens_session on session_tokens (session_id);
create table known_devices (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    origin text not null,
    project_id text not null,
    expires_at timestamptz not null
  );
create index known_devices_user on known_devices (user_id);
create index known_devices_device on known_devices (device_id);
create table logins (
    hash bytea primary key,
    purpose text not null,
    email_index bytea not null,
    email_sealed bytea not null,
    session_id uuid references sessions on delete cascade,
    jkt text not null,
    origin text not null,
    project_id text not null,
    browser text not null,
    match_code text not null,
    known_hash bytea,
    link_hash bytea unique,
    link_tries integer not null default 0,
    link_expires_at timestamptz,
    approved_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null
  );
create table codes (
    tx_hash bytea not null,
    step text not null,
    code_hash bytea not null,
    attempts integer not null default 0,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    primary key (tx_hash, step)
  );
create table email_changes (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    session_id uuid not null references sessions on delete cascade,
    old_index bytea not null,
    new_index bytea not null,
    new_sealed bytea not null,
    step text not null check (step in ('primary', 'secondary', 'done')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  );
create table email_undos (
    hash bytea primary key,
    user_id uuid not null references users on delete cascade,
    old_index bytea not null,
    old_sealed bytea not null,
    changed_at timestamptz not null,
    expires_at timestamptz not null
  );
create index email_undos_index on email_undos (old_index);
create table budgets (
    scope text not null,
    subject bytea not null,
    spent timestamptz[] not null,
    primary key (scope, subject)
  );
create table proofs (hash bytea primary key, expires_at timestamptz not null);
create table vault_users (
    user_id uuid primary key references users on delete cascade,
    key_wrapped bytea not null,
    key_id text not null,
    created_at timestamptz not null
  );
create table wallets (
    id text primary key,
    user_id uuid not null references users on delete cascade,
    realm text not null,
    epoch integer not null,
    eip155 text not null,
    solana text not null,
    recovery_key text not null,
    manifest text not null,
    manifest_signature text not null,
    manifest_version integer not null,
    sealed_seed jsonb not null,
    created_at timestamptz not null,
    unique (user_id, realm)
  );
create table wallet_changes (
    id text primary key,
    wallet_id text not null,
    user_id uuid not null references users on delete cascade,
    realm text not null,
    device_id uuid not null references devices on delete cascade,
    creates boolean not null,
    digest bytea not null,
    body jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    committed_at timestamptz
  );
create unique index wallet_changes_creation on wallet_changes (user_id, realm) where creates;
create index wallet_changes_expiry on wallet_changes (expires_at);
create table wallet_slots (
    wallet_id text not null references wallets on delete cascade,
    slot text not null,
    change_id text not null,
    epoch integer not null,
    share_sealed bytea not null,
    sealed_recovery jsonb not null,
    sealed_device jsonb,
    device_key text,
    created_at timestamptz not null,
    used_at timestamptz not null,
    primary key (wallet_id, slot)
  );
create table recovery_factors (
    id text primary key,
    wallet_id text not null references wallets on delete cascade,
    kind text not null check (kind in ('passkey', 'kit', 'operator')),
    wrap jsonb,
    credential_id text,
    label text,
    operator_sealed bytea,
    operator_key_wrapped bytea,
    created_at timestamptz not null
  );
create index recovery_factors_wallet on recovery_factors (wallet_id);
create table operator_recoveries (
    id text primary key,
    wallet_id text not null references wallets on delete cascade,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    cancel_hash bytea not null unique,
    created_at timestamptz not null,
    ready_at timestamptz not null,
    cancelled_at timestamptz,
    released_at timestamptz
  );
create index operator_recoveries_wallet on operator_recoveries (wallet_id);
create table enrollments (
    id text primary key,
    user_id uuid not null references users on delete cascade,
    device_id uuid not null references devices on delete cascade,
    device_key text not null,
    commitment text not null,
    nonce text,
    met_by uuid references devices on delete cascade,
    met_nonce text,
    change_id text,
    refused_at timestamptz,
    expires_at timestamptz not null
  );
create index enrollments_user on enrollments (user_id);
create table audit (
    sequence bigint primary key,
    at timestamptz not null,
    subject text not null,
    device_id text,
    action text not null,
    detail text not null,
    hash bytea not null
  );
create index audit_subject on audit (subject, sequence);
create table audit_head (
    one boolean primary key check (one),
    sequence bigint not null,
    hash bytea not null,
    mac bytea not null
  );
create table kms_keys (id text primary key, fingerprint bytea not null);
create table activity_chains (
    chain_id text primary key,
    holder uuid,
    held_until timestamptz not null default 'epoch',
    seen_at timestamptz not null default 'epoch',
    generation bigint not null default 0,
    genesis bytea,
    head bigint,
    head_ms bigint
  );
create table activity_blocks (
    chain_id text not null references activity_chains on delete cascade,
    number bigint not null,
    hash bytea not null,
    mined_ms bigint not null,
    primary key (chain_id, number)
  );
create table activity_accounts (
    id integer primary key generated always as identity,
    chain_id text not null,
    address bytea not null,
    asked_at timestamptz not null,
    watched_at timestamptz not null default 'epoch',
    live boolean not null default false,
    first_block bigint,
    seen_to bigint,
    todo int8multirange not null default '{}',
    since_ms bigint,
    bottom_ms bigint,
    unique (chain_id, address)
  );
create index activity_accounts_asked on activity_accounts (chain_id, asked_at);
create table activity_rows (
    account_id integer not null,
    mined_ms bigint not null,
    block bigint not null,
    index integer not null,
    hash bytea not null,
    sender bytea not null,
    recipient bytea,
    created bytea,
    nonce bigint not null,
    value numeric(78) not null,
    fee numeric(78),
    selector bytea,
    failed boolean not null,
    primary key (account_id, mined_ms, block, index)
  );
create table activity_transfers (
    account_id integer not null,
    block bigint not null,
    index integer not null,
    position integer not null,
    standard smallint not null,
    contract bytea not null,
    sender bytea not null,
    recipient bytea not null,
    token_id numeric(78),
    amount numeric(78) not null,
    mined_ms bigint not null,
    primary key (account_id, block, index, position)
  );
create index activity_transfers_token on activity_transfers (account_id, contract, block)
    where standard = 20;
create index activity_transfers_nft on activity_transfers (account_id, contract, token_id)
    where standard <> 20;
create table nft_metadata (
    chain_id text not null,
    contract text not null,
    token_id text not null,
    state text not null check (state in ('pending', 'ready', 'failed', 'none')),
    reason text,
    name text,
    description text,
    image text,
    external_url text,
    attributes jsonb not null default '[]',
    hash text,
    read_at timestamptz,
    failures integer not null default 0,
    next_at timestamptz not null,
    primary key (chain_id, contract, token_id)
  );
create index nft_metadata_next on nft_metadata (next_at);

set session_replication_role = replica;
insert into "audit" select * from json_populate_recordset(null::"audit", $rows$[{"sequence":1,"at":"2026-11-22T16:46:41.339+00:00","subject":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","action":"wallet creation prepared","detail":"{\"changeId\":\"989a789298771061852b26331eace798\"}","hash":"\\x5fba9f6fdd8750f08a32e900ffc9a344848c43d744e58fa895d828e3bee34a65"},{"sequence":2,"at":"2026-11-22T16:46:41.403+00:00","subject":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","action":"share released","detail":"{}","hash":"\\xa86248fd3a40e76abee0ca120e955575d6911e9339955e6a6f5cf351f888189c"},{"sequence":3,"at":"2026-11-22T16:46:41.57+00:00","subject":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","action":"wallet created","detail":"{\"epoch\":1}","hash":"\\x474737b088eb23f2616b0114cf178e3a7703c893dbc6051ba04a2ece32d20146"},{"sequence":4,"at":"2026-11-22T16:46:41.673+00:00","subject":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","action":"share released","detail":"{}","hash":"\\x6fe20d5276fdda1846a173e1074afae79c0f750a5ab063fe4ff02f601ce6ef28"},{"sequence":5,"at":"2026-11-22T16:46:41.78+00:00","subject":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","action":"share released","detail":"{}","hash":"\\x3d79e9161cb4abdde36edeaff7fee40ef952bc3348dd7a0a278d5aab8ad5bf43"}]$rows$);
insert into "audit_head" select * from json_populate_recordset(null::"audit_head", $rows$[{"one":true,"sequence":5,"hash":"\\x3d79e9161cb4abdde36edeaff7fee40ef952bc3348dd7a0a278d5aab8ad5bf43","mac":"\\x91390c366125adea092466a496d6e3a73b239de1b941f8900f50ded10c2a54e8"}]$rows$);
insert into "budgets" select * from json_populate_recordset(null::"budgets", $rows$[{"scope":"vault prepare","subject":"\\xfc9aa61e80894f60a37352c9b007ee5cbd7a51d2b393aaa95cd30151ea5cdd5a","spent":["2026-11-22T16:46:41.082+00:00"]},{"scope":"vault share","subject":"\\xfc9aa61e80894f60a37352c9b007ee5cbd7a51d2b393aaa95cd30151ea5cdd5a","spent":["2026-11-22T16:46:41.378+00:00","2026-11-22T16:46:41.643+00:00","2026-11-22T16:46:41.759+00:00"]}]$rows$);
insert into "devices" select * from json_populate_recordset(null::"devices", $rows$[{"id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","user_id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","jkt":"ZB_9aj6uKr2xedAein_JRp-zBFD8iDs32WCkOTke2Ig","name":"Firefox on Linux","browser":"Firefox on Linux","origin":"http://localhost:3000","project_id":"local","created_at":"2026-11-22T16:46:40.076+00:00","last_seen_at":"2026-11-22T16:46:40.076+00:00","revoked_at":null}]$rows$);
insert into "kms_keys" select * from json_populate_recordset(null::"kms_keys", $rows$[{"id":"auth-share","fingerprint":"\\xd1f4f4b9b9bb200a738b57e71e9711380be0bd698c8a2b1566e545e8204957c6"},{"id":"recovery","fingerprint":"\\xbbff7358137968fea34d0b3f1d75d6da6cf7256a3e86d5745361e98e15c6d128"},{"id":"lookup","fingerprint":"\\xe522c75ac7acb3ff1be1b32a0895b9899690bd0dc1469a1a02fc512433af38e8"}]$rows$);
insert into "kysely_migration" select * from json_populate_recordset(null::"kysely_migration", $rows$[{"name":"0001_projects","timestamp":"2026-11-22T16:46:35.193Z"},{"name":"0002_auth","timestamp":"2026-11-22T16:46:35.267Z"},{"name":"0003_vault","timestamp":"2026-11-22T16:46:35.347Z"},{"name":"0004_activity","timestamp":"2026-11-22T16:46:35.384Z"},{"name":"0005_nfts","timestamp":"2026-11-22T16:46:35.392Z"}]$rows$);
insert into "kysely_migration_lock" select * from json_populate_recordset(null::"kysely_migration_lock", $rows$[{"id":"migration_lock","is_locked":0}]$rows$);
insert into "proofs" select * from json_populate_recordset(null::"proofs", $rows$[{"hash":"\\x82a1f1c861bff7ffcf9724ebd4a108a6e47b0405f228e6770d81cafc79a20163","expires_at":"2026-11-22T17:01:40.302+00:00"},{"hash":"\\xc3c3c0820dbdf125c69710ada276578c72fdb09d2923a9bfd05e94dbbf9b444b","expires_at":"2026-11-22T17:01:41.07+00:00"},{"hash":"\\xf313ad78060a953678085d3eaccd06685f2312c22d9c98239d04c7ab357bdee3","expires_at":"2026-11-22T17:01:41.37+00:00"},{"hash":"\\xb2b498e2163f7f4651d6e16f6ab4d0799e2e19f1bce180f80f7d875a4067c358","expires_at":"2026-11-22T17:01:41.518+00:00"},{"hash":"\\x009cdcf580e0a3890ee1b6b7f970d442ed218e703593582751d5c3b288ccdce5","expires_at":"2026-11-22T17:01:41.597+00:00"},{"hash":"\\xaf63066a45c0a055c453db73744c89d77eaaa6ac994fe606da04c398f36b1cf7","expires_at":"2026-11-22T17:01:41.628+00:00"},{"hash":"\\xa2ebf66b2243d489b907eb983b5b3c23eff8a0ad4320cdf043fecb046543a5ac","expires_at":"2026-11-22T17:01:41.749+00:00"}]$rows$);
insert into "recovery_factors" select * from json_populate_recordset(null::"recovery_factors", $rows$[{"id":"c3547239ba3c9bc115c3db39cecb092f","wallet_id":"e6df5bd5548e916a05074c9bfc498452","kind":"kit","wrap":{"ct":"Qim4u8gmpePM78RdKdDveciuYP3mjjRPWuP3ig3zj7qoFXVzJWDj9PVhdWo_uCL7","iv":"utrPOuGvI7A5ho9x"},"credential_id":null,"label":null,"operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-22T16:46:41.539+00:00"},{"id":"e4d76ed60e49d965f58126bb221e7e1f","wallet_id":"e6df5bd5548e916a05074c9bfc498452","kind":"passkey","wrap":{"ct":"kv9-dMjlajf3o4eQNxcZEGbj_XvsG7o8uUOrqZQlK-njkkUweJ35neGFmGPQG1S7","iv":"-Z2c3iZ6tSVdP4T_"},"credential_id":"jRSPOuvtQD4lzNtMAoJ82A","label":null,"operator_sealed":null,"operator_key_wrapped":null,"created_at":"2026-11-22T16:46:41.539+00:00"}]$rows$);
insert into "session_tokens" select * from json_populate_recordset(null::"session_tokens", $rows$[{"hash":"\\xd93e8122021068bafe3b54943e034a34c308f2c07c891949713a1999758b22b5","session_id":"7fe22aa8-7b94-4f2c-8649-d74f88d6ddd9","kind":"access","expires_at":"2026-12-12T16:46:40.076+00:00","used_at":null}]$rows$);
insert into "sessions" select * from json_populate_recordset(null::"sessions", $rows$[{"id":"7fe22aa8-7b94-4f2c-8649-d74f88d6ddd9","user_id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","created_at":"2026-11-22T16:46:40.076+00:00","used_at":"2026-11-22T16:46:40.076+00:00","ends_at":"2026-12-12T16:46:40.076+00:00","ended_at":null,"step_up_until":"2026-12-12T16:46:40.076+00:00","recovery_until":"2026-12-12T16:46:40.076+00:00"}]$rows$);
insert into "users" select * from json_populate_recordset(null::"users", $rows$[{"id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","email_index":"\\xdf99d24f822cf15423ddf5592c6b05e113c573aa1b94d715c82d931001cf9c58","email_sealed":"\\x75fc73176d2c60ee9ccf5e43fa741925b88edd49f5f3a7c0378a49748e0c5b77","created_at":"2026-11-22T16:46:40.067+00:00","undo_until":null}]$rows$);
insert into "vault_users" select * from json_populate_recordset(null::"vault_users", $rows$[{"user_id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","key_wrapped":"\\x00000001e2496d2d3dc0f30889e2139a87a21efd496a0ec67426d0ddfd92f3583169646d5d38e116f69e4ea494fa89485a15698543ac0d72855609c0ba424ffa","key_id":"auth-share/1","created_at":"2026-11-22T16:46:41.302+00:00"}]$rows$);
insert into "wallet_changes" select * from json_populate_recordset(null::"wallet_changes", $rows$[{"id":"989a789298771061852b26331eace798","wallet_id":"e6df5bd5548e916a05074c9bfc498452","user_id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","realm":"main","device_id":"0ba950c6-0463-448e-bf8a-296fbcbde59e","creates":false,"digest":"\\x5ef08fd3083948ffe310d3d5d880179852c8e357f3b02934b247f370c77143e1","body":{"seal":{"sealedSeed":{"ct":"fNWTRMC6AmoWLsn7909OahRMRBzmKTB98wTw3iU10xthm8NW9GOcs7ZZhs1NOyMVWWj9JMq-xHx08il3W-9CP_xNfl85JoUS5gJTQ9m35rc","iv":"q2-NrURnv6T8XC8Q"},"recoveryKey":"BKyk3ce1W_Ltu0PcZcyXNlRqCCaKmB2Jl7aqUUDPEVd_XE6dRyufbWZ3BSji-mGyHrw4ztA6L3BuYI-nrICkl3E"},"epoch":1,"slots":[{"slot":"0ba950c6-0463-448e-bf8a-296fbcbde59e","shareSealed":"L2GOa_F5ya_p9jdwu1IEh00EMjdgn7_zfiuSBghMtwNSJItBGrDTvTV816bM26m0SHqM4m6xmTkhrBlavA","sealedRecoveryShare":{"ct":"SWcMHBqut1k95XwRav09ZJBncwQURECdoSKvySTGdeZQ-YTg2cSzgm0oGidl2xEu7g","enc":"BIQbYko5XkgMGpB0gk1-ssOh9oxKdYYnxwu137tx4bSk0P37Se0EivoiqDdYhqVsdHlurP5pDSKaYsurE-pc6jQ"}},{"slot":"recovery","shareSealed":"Ty2NUTzfRKZmRa8VqepZsR0vM7KO1NaGARRdWUGg0dcqOzyw-F7CYfTqWTgx_Miz-pXKsY4zlvWM34BLNg","sealedRecoveryShare":{"ct":"lILov4drPZGtAhFiVkUOmQx9o8ojuYWHXtHIu05ofG3Jl7RknBR88ADC--SBCS7Ang","enc":"BB6npeW4lxNZeqZTq_s1essNu9lcY2VSjCbbK29IG5qy2SYSx6lrN1RhX9rV6UNwDHfND7rL90yLCI2dztJOlHM"}}],"factors":[{"id":"c3547239ba3c9bc115c3db39cecb092f","kind":"kit","wrap":{"ct":"Qim4u8gmpePM78RdKdDveciuYP3mjjRPWuP3ig3zj7qoFXVzJWDj9PVhdWo_uCL7","iv":"utrPOuGvI7A5ho9x"}},{"id":"e4d76ed60e49d965f58126bb221e7e1f","kind":"passkey","wrap":{"ct":"kv9-dMjlajf3o4eQNxcZEGbj_XvsG7o8uUOrqZQlK-njkkUweJ35neGFmGPQG1S7","iv":"-Z2c3iZ6tSVdP4T_"},"credentialId":"jRSPOuvtQD4lzNtMAoJ82A"}],"manifest":{"text":"{\"v\":1,\"walletId\":\"e6df5bd5548e916a05074c9bfc498452\",\"userId\":\"1e93205a-970f-4bfc-ac4f-8cc8ffd90975\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x5C8a216FB57feFd5fbeE3e398522624CDC08891D\",\"solana\":\"DWjT7Gzf7TCH3SN22d6cXA3fhTZwU85U8dFE4Xcbz92o\"},\"recoveryKey\":\"BKyk3ce1W_Ltu0PcZcyXNlRqCCaKmB2Jl7aqUUDPEVd_XE6dRyufbWZ3BSji-mGyHrw4ztA6L3BuYI-nrICkl3E\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"0ba950c6-0463-448e-bf8a-296fbcbde59e\",\"key\":\"BPa3QfgPvDsrzW_Bbbs2ie3KTJwGtRZ9ytQcUbLH19TXJC10v9ZSWDiJB50MjhC04E5a_6xzjtf7_9WRsVsJBCI\"}]}","signature":"0x51e2ab95adce492e43c6d22a3904350b0150ab312d132814221bc40938a8955b6a1d83430a86944c27b5914b4a82e17786c6383a018bfcffc9ad2274198b1c001b"},"addresses":{"eip155":"0x5C8a216FB57feFd5fbeE3e398522624CDC08891D","solana":"DWjT7Gzf7TCH3SN22d6cXA3fhTZwU85U8dFE4Xcbz92o"},"deviceKey":"BPa3QfgPvDsrzW_Bbbs2ie3KTJwGtRZ9ytQcUbLH19TXJC10v9ZSWDiJB50MjhC04E5a_6xzjtf7_9WRsVsJBCI","manifestVersion":1},"created_at":"2026-11-22T16:46:41.318+00:00","expires_at":"2026-11-22T17:01:41.318+00:00","committed_at":"2026-11-22T16:46:41.565+00:00"}]$rows$);
insert into "wallet_slots" select * from json_populate_recordset(null::"wallet_slots", $rows$[{"wallet_id":"e6df5bd5548e916a05074c9bfc498452","slot":"recovery","change_id":"989a789298771061852b26331eace798","epoch":1,"share_sealed":"\\x4f2d8d513cdf44a66645af15a9ea59b11d2f33b28ed4d68601145d5941a0d1d72a3b3cb0f85ec261f4ea593831fcc8b3fa95cab18e3396f58cdf804b36","sealed_recovery":{"ct":"lILov4drPZGtAhFiVkUOmQx9o8ojuYWHXtHIu05ofG3Jl7RknBR88ADC--SBCS7Ang","enc":"BB6npeW4lxNZeqZTq_s1essNu9lcY2VSjCbbK29IG5qy2SYSx6lrN1RhX9rV6UNwDHfND7rL90yLCI2dztJOlHM"},"sealed_device":null,"device_key":null,"created_at":"2026-11-22T16:46:41.548+00:00","used_at":"2026-11-22T16:46:41.548+00:00"},{"wallet_id":"e6df5bd5548e916a05074c9bfc498452","slot":"0ba950c6-0463-448e-bf8a-296fbcbde59e","change_id":"989a789298771061852b26331eace798","epoch":1,"share_sealed":"\\x2f618e6bf179c9afe9f63770bb5204874d043237609fbff37e2b9206084cb70352248b411ab0d3bd357cd7a6ccdba9b4487a8ce26eb1993921ac195abc","sealed_recovery":{"ct":"SWcMHBqut1k95XwRav09ZJBncwQURECdoSKvySTGdeZQ-YTg2cSzgm0oGidl2xEu7g","enc":"BIQbYko5XkgMGpB0gk1-ssOh9oxKdYYnxwu137tx4bSk0P37Se0EivoiqDdYhqVsdHlurP5pDSKaYsurE-pc6jQ"},"sealed_device":null,"device_key":"BPa3QfgPvDsrzW_Bbbs2ie3KTJwGtRZ9ytQcUbLH19TXJC10v9ZSWDiJB50MjhC04E5a_6xzjtf7_9WRsVsJBCI","created_at":"2026-11-22T16:46:41.548+00:00","used_at":"2026-11-22T16:46:41.777+00:00"}]$rows$);
insert into "wallets" select * from json_populate_recordset(null::"wallets", $rows$[{"id":"e6df5bd5548e916a05074c9bfc498452","user_id":"1e93205a-970f-4bfc-ac4f-8cc8ffd90975","realm":"main","epoch":1,"eip155":"0x5C8a216FB57feFd5fbeE3e398522624CDC08891D","solana":"DWjT7Gzf7TCH3SN22d6cXA3fhTZwU85U8dFE4Xcbz92o","recovery_key":"BKyk3ce1W_Ltu0PcZcyXNlRqCCaKmB2Jl7aqUUDPEVd_XE6dRyufbWZ3BSji-mGyHrw4ztA6L3BuYI-nrICkl3E","manifest":"{\"v\":1,\"walletId\":\"e6df5bd5548e916a05074c9bfc498452\",\"userId\":\"1e93205a-970f-4bfc-ac4f-8cc8ffd90975\",\"realm\":\"main\",\"addresses\":{\"eip155\":\"0x5C8a216FB57feFd5fbeE3e398522624CDC08891D\",\"solana\":\"DWjT7Gzf7TCH3SN22d6cXA3fhTZwU85U8dFE4Xcbz92o\"},\"recoveryKey\":\"BKyk3ce1W_Ltu0PcZcyXNlRqCCaKmB2Jl7aqUUDPEVd_XE6dRyufbWZ3BSji-mGyHrw4ztA6L3BuYI-nrICkl3E\",\"epoch\":1,\"version\":1,\"devices\":[{\"id\":\"0ba950c6-0463-448e-bf8a-296fbcbde59e\",\"key\":\"BPa3QfgPvDsrzW_Bbbs2ie3KTJwGtRZ9ytQcUbLH19TXJC10v9ZSWDiJB50MjhC04E5a_6xzjtf7_9WRsVsJBCI\"}]}","manifest_signature":"0x51e2ab95adce492e43c6d22a3904350b0150ab312d132814221bc40938a8955b6a1d83430a86944c27b5914b4a82e17786c6383a018bfcffc9ad2274198b1c001b","manifest_version":1,"sealed_seed":{"ct":"fNWTRMC6AmoWLsn7909OahRMRBzmKTB98wTw3iU10xthm8NW9GOcs7ZZhs1NOyMVWWj9JMq-xHx08il3W-9CP_xNfl85JoUS5gJTQ9m35rc","iv":"q2-NrURnv6T8XC8Q"},"created_at":"2026-11-22T16:46:41.539+00:00"}]$rows$);
