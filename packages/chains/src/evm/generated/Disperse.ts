// Generated from packages/chains/contracts/ by tools/contracts.ts; run "node tools/contracts.ts" to write it again.
export const Disperse = {
  "abi": [
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "token",
          "type": "address"
        },
        {
          "components": [
            {
              "internalType": "address",
              "name": "to",
              "type": "address"
            },
            {
              "internalType": "uint256",
              "name": "amount",
              "type": "uint256"
            }
          ],
          "internalType": "struct Disperse.Payment[]",
          "name": "payments",
          "type": "tuple[]"
        }
      ],
      "name": "pay",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  "bytecode": "0x6080604052348015600e575f5ffd5b506101918061001c5f395ff3fe608060405234801561000f575f5ffd5b5060043610610029575f3560e01c80636a72ae451461002d575b5f5ffd5b61004061003b366004610103565b610042565b005b61006e565b5f60408301602081602486865afa60203d1081151715610065575f5ffd5b50519392505050565b6040516370a0823160e01b81526323b872dd60e01b6060820190815233606483015283600684901b81015b808210156100fa5781356020830135816004870152816024860152806044860152806100c5878b610047565b019150505f5f6064865f8c5af16100da575f5ffd5b806100e5868a610047565b146100ee575f5ffd5b50604082019150610099565b50505050505050565b5f5f5f60408486031215610115575f5ffd5b83356001600160a01b038116811461012b575f5ffd5b9250602084013567ffffffffffffffff811115610146575f5ffd5b8401601f81018613610156575f5ffd5b803567ffffffffffffffff81111561016c575f5ffd5b8660208260061b8401011115610180575f5ffd5b93966020919091019550929350505056"
} as const
