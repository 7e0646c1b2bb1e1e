/**
 * Instructions of Token-2022 that the Token program does not have, in the layout of its public
 * interface; see `parseLayouts`. Keys of sixteen digits are the 8-byte tags of the metadata and
 * group interfaces that the program implements: the first bytes of a hash of their names.
 */
export const token2022Table = {
  25: 'initializeMintCloseAuthority | newAuthority:key? | mint',
  '26.0':
    'initializeTransferFee | newAuthority:key? withdrawAuthority:key? basisPoints:u16 maxFee:u64 | mint',
  '26.1':
    'transferCheckedWithFee | amount:u64 decimals:u8 fee:u64 | source mint destination authority!',
  '26.2': 'withdrawWithheld | | mint destination authority!',
  '26.3': 'withdrawWithheld | count:u8 | mint destination authority!',
  '26.4': 'harvestWithheld | | mint',
  '26.5': 'setTransferFee | basisPoints:u16 maxFee:u64 | mint authority!',
  '27.0': 'initializeConfidential | newAuthority:keyOrZero autoApprove:u8 auditor:b32 | mint',
  '27.1': 'updateConfidential | autoApprove:u8 auditor:b32 | mint authority!',
  '27.2':
    'configureConfidential | balance:b36 count:u64 proofOffset:i8 | account mint proof authority!',
  '27.3': 'approveConfidential | | account mint authority!',
  '27.4': 'emptyConfidential | proofOffset:i8 | account proof authority!',
  '27.5': 'depositConfidential | amount:u64 decimals:u8 | account mint authority!',
  '27.6':
    'withdrawConfidential | amount:u64 decimals:u8 balance:b36 proofOffset:i8 rangeOffset:i8 | account mint proof!*',
  '27.7':
    'transferConfidential | balance:b36 auditedLow:b64 auditedHigh:b64 proofOffset:i8 validityOffset:i8 rangeOffset:i8 | source mint destination proof!*',
  '27.8': 'applyConfidential | count:u64 balance:b36 | account authority!',
  '27.9': 'enableConfidentialCredits | | account authority!',
  '27.10': 'disableConfidentialCredits | | account authority!',
  '27.11': 'enablePublicCredits | | account authority!',
  '27.12': 'disablePublicCredits | | account authority!',
  '27.13':
    'transferConfidential | balance:b36 auditedLow:b64 auditedHigh:b64 proofOffset:i8 validityOffset:i8 feeOffset:i8 feeValidityOffset:i8 rangeOffset:i8 | source mint destination proof!*',
  '27.14': 'configureConfidential | | account mint registry payer!? system?',
  '28.0': 'initializeDefaultState | state:u8 | mint',
  '28.1': 'updateDefaultState | state:u8 | mint authority!',
  29: 'reallocate | extensions:u16s | account payer! system authority!',
  '30.0': 'enableRequiredMemo | | account authority!',
  '30.1': 'disableRequiredMemo | | account authority!',
  31: 'createNativeMint | | payer! mint system',
  32: 'initializeNonTransferable | | mint',
  '33.0': 'initializeInterest | newAuthority:keyOrZero rate:i16 | mint',
  '33.1': 'updateInterest | rate:i16 | mint authority!',
  '34.0': 'enableCpiGuard | | account authority!',
  '34.1': 'disableCpiGuard | | account authority!',
  35: 'initializePermanentDelegate | delegateKey:key | mint',
  '36.0': 'initializeTransferHook | newAuthority:keyOrZero program:keyOrZero | mint',
  '36.1': 'updateTransferHook | program:keyOrZero | mint authority!',
  '37.0': 'initializeConfidentialFee | newAuthority:keyOrZero feeKey:b32 | mint',
  '37.1':
    'withdrawConfidentialFee | proofOffset:i8 balance:b36 | mint destination proof authority!',
  '37.2':
    'withdrawConfidentialFee | count:u8 proofOffset:i8 balance:b36 | mint destination proof authority!',
  '37.3': 'harvestConfidentialFee | | mint',
  '37.4': 'enableConfidentialHarvest | | mint authority!',
  '37.5': 'disableConfidentialHarvest | | mint authority!',
  '39.0': 'initializeMetadataPointer | newAuthority:keyOrZero pointer:keyOrZero | mint',
  '39.1': 'updateMetadataPointer | pointer:keyOrZero | mint authority!',
  '40.0': 'initializeGroupPointer | newAuthority:keyOrZero pointer:keyOrZero | mint',
  '40.1': 'updateGroupPointer | pointer:keyOrZero | mint authority!',
  '41.0': 'initializeMemberPointer | newAuthority:keyOrZero pointer:keyOrZero | mint',
  '41.1': 'updateMemberPointer | pointer:keyOrZero | mint authority!',
  '42.0': 'initializeConfidentialSupply | supplyKey:b32 supply:b36 | mint',
  '42.1': 'rotateSupplyKey | supplyKey:b32 proofOffset:i8 | mint proof authority!',
  '42.2': 'updateConfidentialSupply | supply:b36 | mint authority!',
  '42.3':
    'mintConfidential | supply:b36 auditedLow:b64 auditedHigh:b64 proofOffset:i8 validityOffset:i8 rangeOffset:i8 | account mint proof!*',
  '42.4':
    'burnConfidential | balance:b36 auditedLow:b64 auditedHigh:b64 proofOffset:i8 validityOffset:i8 rangeOffset:i8 | source mint proof!*',
  '42.5': 'applyConfidentialBurn | | mint authority!',
  '43.0': 'initializeScaledAmount | newAuthority:keyOrZero multiplier:f64 | mint',
  '43.1': 'updateScaledAmount | multiplier:f64 startsAt:i64 | mint authority!',
  '44.0': 'initializePausable | newAuthority:key | mint',
  '44.1': 'pause | | mint authority!',
  '44.2': 'resume | | mint authority!',
  '46.0': 'initializePermissionedBurn | newAuthority:key | mint',
  '46.1': 'burnPermitted | amount:u64 | source mint burnAuthority! authority!',
  '46.2': 'burnPermitted | amount:u64 decimals:u8 | source mint burnAuthority! authority!',
  d2e11ea258b84d8d:
    'initializeMetadata | tokenName:text32 symbol:text32 uri:text32 | metadata updateAuthority mint mintAuthority!',
  dde9312db5cadcc8:
    'updateMetadata | metadataField:metadataField value:text32 | metadata authority!',
  ea122038598d25b5: 'removeMetadata | idempotent:u8 metadataField:text32 | metadata authority!',
  d7e4a6e45464567b: 'setMetadataAuthority | newAuthority:keyOrZero | metadata authority!',
  faa6b4fa0d0cb846: 'emitMetadata | first:u64? last:u64? | metadata',
  '79716c2736330004':
    'initializeGroup | newAuthority:keyOrZero groupSize:u64 | group mint mintAuthority!',
  '6c25ab8ff81e126e': 'updateGroupSize | groupSize:u64 | group authority!',
  a1695801edddd8cb: 'setGroupAuthority | newAuthority:keyOrZero | group authority!',
  '9820deb0dfed7486': 'initializeMember | | member mint mintAuthority! group updateAuthority!',
}
