/**
 * The delegation framework and `PermissionAccount`, its executing account. They have these
 * addresses on every network to which they are deployed. CREATE2 derives the addresses from the
 * code, so an address guarantees its code.
 */
export const permissionContracts = {
  manager: '0x8c58695bbf101d3af7565014b3d33ffb6a8a8271',
  account: '0xb0d2ed8a9c3d6b6f164c51152d3bb9022c021019',
  targets: '0x7f1c1e1149ea80f83e0db2372b8e156561a42df1',
  methods: '0xdc25d30a9b635e9659c8ca648609869d513a4719',
  value: '0xc3c613576c97bc237c6be5089ce290c5a0ba4685',
  calldata: '0xde53d355640f703b9d9264db54efb5ad7eceeae5',
  time: '0x015a4c29ce7c2db003519694dec19af366edc140',
  nativePeriod: '0xdde1eb11f8365a5c742ce44b1d1d87fe7872140e',
  erc20Period: '0x32d29677dcb5452a8b8f58781b88f61e10aaee21',
  argument: '0x483ee8ddfbf759dacb7c730560d22646947af24b',
} as const
