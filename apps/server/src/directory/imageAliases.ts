/**
 * The images for the image ids of older clients: networks and connectors of the wallet directory
 * that these clients were made for.
 */
export const imageAliases: Readonly<Record<string, string>> = {
  'ba0ba0cd-17c6-4806-ad93-f9d174f17900': 'eip155-1',
  'ab9c186a-c52f-464b-2906-ca59d760a400': 'eip155-10',
  '93564157-2e8e-4ce7-81df-b264dbee9b00': 'eip155-56',
  '02b53f6a-e3d4-479e-1cb4-21178987d100': 'eip155-100',
  '41d04d42-da3b-4453-8506-668cc0727900': 'eip155-137',
  '06b26297-fe0c-4733-5d6b-ffa5498aac00': 'eip155-250',
  'b310f07f-4ef7-49f3-7073-2a0a39685800': 'eip155-324',
  '161038da-44ae-4ec7-1208-0ea569454b00': 'eip155-1284',
  '7289c336-3981-4081-c5f4-efc26ac64a00': 'eip155-8453',
  '3bff954d-5cb0-47a0-9a23-d20192e74600': 'eip155-42161',
  'ab781bbc-ccc6-418d-d32d-789b15da1f00': 'eip155-42220',
  '30c46e53-e989-45fb-4549-be3bd4eb3b00': 'eip155-43114',
  '845c60df-d429-4991-e687-91ae45791600': 'eip155-7777777',
  '3ff73439-a619-4894-9262-4470c773a100': 'eip155-1313161554',
  'a1b58899-f671-4276-6a5e-56ca5bd59700': 'solana-5eykt4usfv8p8njdtrepy1vzqkqzkvdp',
  '0b4838db-0161-4ffe-022d-532bf03dba00': 'bip122-000000000019d6689c085ae165831e93',
  'ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400': 'walletconnect',
  '07ba87ed-43aa-4adf-4540-9e6a2b9cae00': 'injected',
  '0c2840c3-5b04-4c44-9661-fbd4b49e1800': 'c495a8fe-f598-86d1-8335-dc7cbc1ce270',
  '461db637-8616-43ce-035a-d89b8a1d5800': 'cf3db4a8-4996-856b-8b3b-1432a687b8db',
  '54a1aa77-d202-4f8d-0fb2-5d2bb6db0300': '96096b07-a2cf-8fa4-81fd-75ccdd5eafe7',
}
