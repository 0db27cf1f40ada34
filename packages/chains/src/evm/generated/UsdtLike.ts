// Generated from packages/chains/contracts/ by tools/contracts.ts; run "node tools/contracts.ts" to write it again.
export const UsdtLike = {
  "abi": [
    {
      "inputs": [
        {
          "internalType": "string",
          "name": "name_",
          "type": "string"
        },
        {
          "internalType": "string",
          "name": "symbol_",
          "type": "string"
        },
        {
          "internalType": "uint8",
          "name": "decimals_",
          "type": "uint8"
        }
      ],
      "stateMutability": "nonpayable",
      "type": "constructor"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "owner",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Approval",
      "type": "event"
    },
    {
      "anonymous": false,
      "inputs": [
        {
          "indexed": true,
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "indexed": true,
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "indexed": false,
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "Transfer",
      "type": "event"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "name": "allowance",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "spender",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "approve",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "name": "balanceOf",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "basisPointsRate",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "decimals",
      "outputs": [
        {
          "internalType": "uint8",
          "name": "",
          "type": "uint8"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "name": "isBlackListed",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "issue",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "maximumFee",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "name",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "owner",
      "outputs": [
        {
          "internalType": "address",
          "name": "",
          "type": "address"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "paused",
      "outputs": [
        {
          "internalType": "bool",
          "name": "",
          "type": "bool"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "holder",
          "type": "address"
        },
        {
          "internalType": "bool",
          "name": "value",
          "type": "bool"
        }
      ],
      "name": "setBlackListed",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "uint256",
          "name": "basisPointsRate_",
          "type": "uint256"
        },
        {
          "internalType": "uint256",
          "name": "maximumFee_",
          "type": "uint256"
        }
      ],
      "name": "setParams",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "bool",
          "name": "value",
          "type": "bool"
        }
      ],
      "name": "setPaused",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "symbol",
      "outputs": [
        {
          "internalType": "string",
          "name": "",
          "type": "string"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [],
      "name": "totalSupply",
      "outputs": [
        {
          "internalType": "uint256",
          "name": "",
          "type": "uint256"
        }
      ],
      "stateMutability": "view",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "transfer",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    },
    {
      "inputs": [
        {
          "internalType": "address",
          "name": "from",
          "type": "address"
        },
        {
          "internalType": "address",
          "name": "to",
          "type": "address"
        },
        {
          "internalType": "uint256",
          "name": "value",
          "type": "uint256"
        }
      ],
      "name": "transferFrom",
      "outputs": [],
      "stateMutability": "nonpayable",
      "type": "function"
    }
  ],
  "bytecode": "0x60c060405234801561000f575f5ffd5b50604051610f0c380380610f0c83398101604081905261002e916100f5565b5f6100398482610201565b5060016100468382610201565b5060ff1660805250503360a0526102bf565b634e487b7160e01b5f52604160045260245ffd5b5f82601f83011261007b575f5ffd5b81516001600160401b0381111561009457610094610058565b604051601f8201601f19908116603f011681016001600160401b03811182821017156100c2576100c2610058565b6040528181528382016020018510156100d9575f5ffd5b8160208501602083015e5f918101602001919091529392505050565b5f5f5f60608486031215610107575f5ffd5b83516001600160401b0381111561011c575f5ffd5b6101288682870161006c565b602086015190945090506001600160401b03811115610145575f5ffd5b6101518682870161006c565b925050604084015160ff81168114610167575f5ffd5b809150509250925092565b600181811c9082168061018657607f821691505b6020821081036101a457634e487b7160e01b5f52602260045260245ffd5b50919050565b601f8211156101fc57828211156101fc57805f5260205f20601f840160051c60208510156101d557505f5b90810190601f840160051c035f5b818110156101f8575f838201556001016101e3565b5050505b505050565b81516001600160401b0381111561021a5761021a610058565b61022e816102288454610172565b846101aa565b6020601f821160018114610260575f83156102495750848201515b5f19600385901b1c1916600184901b1784556102b8565b5f84815260208120601f198516915b8281101561028f578785015182556020948501946001909201910161026f565b50848210156102ac57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805160a051610c0261030a5f395f818161022e0152818161046801528181610576015281816105e8015281816106cb015281816108f3015261093901525f61018a0152610c025ff3fe608060405234801561000f575f5ffd5b5060043610610111575f3560e01c806370a082311161009e578063a9059cbb1161006e578063a9059cbb14610270578063c0324c7714610283578063dd62ed3e14610296578063dd644f72146102c0578063e47d6060146102c9575f5ffd5b806370a08231146101f7578063867904b4146102165780638da5cb5b1461022957806395d89b4114610268575f5ffd5b806323b872dd116100e457806323b872dd14610172578063313ce5671461018557806335390714146101be5780635c975abb146101c75780635cd8c072146101e4575f5ffd5b806306fdde0314610115578063095ea7b31461013357806316c38b3c1461014857806318160ddd1461015b575b5f5ffd5b61011d6102eb565b60405161012a91906109aa565b60405180910390f35b6101466101413660046109fa565b610376565b005b610146610156366004610a31565b61045d565b61016460025481565b60405190815260200161012a565b610146610180366004610a51565b6104b8565b6101ac7f000000000000000000000000000000000000000000000000000000000000000081565b60405160ff909116815260200161012a565b61016460055481565b6003546101d49060ff1681565b604051901515815260200161012a565b6101466101f2366004610a8b565b61056b565b610164610205366004610abc565b60076020525f908152604090205481565b6101466102243660046109fa565b6105dd565b6102507f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b03909116815260200161012a565b61011d6106a4565b61014661027e3660046109fa565b6106b1565b610146610291366004610ad5565b6106c0565b6101646102a4366004610af5565b600860209081525f928352604080842090915290825290205481565b61016460045481565b6101d46102d7366004610abc565b60066020525f908152604090205460ff1681565b5f80546102f790610b1d565b80601f016020809104026020016040519081016040528092919081815260200182805461032390610b1d565b801561036e5780601f106103455761010080835404028352916020019161036e565b820191905f5260205f20905b81548152906001019060200180831161035157829003601f168201915b505050505081565b8015806103a35750335f9081526008602090815260408083206001600160a01b0386168452909152902054155b6103fe5760405162461bcd60e51b815260206004820152602160248201527f72657365742074686520616c6c6f77616e636520746f207a65726f20666972736044820152601d60fa1b60648201526084015b60405180910390fd5b335f8181526008602090815260408083206001600160a01b03871680855290835292819020859055518481529192917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591015b60405180910390a35050565b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146104a55760405162461bcd60e51b81526004016103f590610b55565b6003805460ff1916911515919091179055565b6001600160a01b0383165f908152600860209081526040808320338452909152902054818110156105245760405162461bcd60e51b8152602060048201526016602482015275696e73756666696369656e7420616c6c6f77616e636560501b60448201526064016103f5565b5f19811461055a576105368282610ba0565b6001600160a01b0385165f9081526008602090815260408083203384529091529020555b610565848484610713565b50505050565b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146105b35760405162461bcd60e51b81526004016103f590610b55565b6001600160a01b03919091165f908152600660205260409020805460ff1916911515919091179055565b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146106255760405162461bcd60e51b81526004016103f590610b55565b8060025f8282546106369190610bb9565b90915550506001600160a01b0382165f9081526007602052604081208054839290610662908490610bb9565b90915550506040518181526001600160a01b038316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef90602001610451565b600180546102f790610b1d565b6106bc338383610713565b5050565b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146107085760405162461bcd60e51b81526004016103f590610b55565b600491909155600555565b60035460ff161561074f5760405162461bcd60e51b81526020600482015260066024820152651c185d5cd95960d21b60448201526064016103f5565b6001600160a01b0383165f9081526006602052604090205460ff16156107ab5760405162461bcd60e51b81526020600482015260116024820152701cd95b99195c881a5cc8189b1bd8dad959607a1b60448201526064016103f5565b6001600160a01b0383165f908152600760205260409020548111156108095760405162461bcd60e51b8152602060048201526014602482015273696e73756666696369656e742062616c616e636560601b60448201526064016103f5565b5f6127106004548361081b9190610bcc565b6108259190610be3565b905060055481111561083657506005545b6001600160a01b0384165f908152600760205260408120805484929061085d908490610ba0565b9091555061086d90508183610ba0565b6001600160a01b0384165f9081526007602052604081208054909190610894908490610bb9565b90915550506001600160a01b038084169085167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef6108d28486610ba0565b60405190815260200160405180910390a38015610565576001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000165f9081526007602052604081208054839290610930908490610bb9565b925050819055507f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316846001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161099c91815260200190565b60405180910390a350505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b03811681146109f5575f5ffd5b919050565b5f5f60408385031215610a0b575f5ffd5b610a14836109df565b946020939093013593505050565b803580151581146109f5575f5ffd5b5f60208284031215610a41575f5ffd5b610a4a82610a22565b9392505050565b5f5f5f60608486031215610a63575f5ffd5b610a6c846109df565b9250610a7a602085016109df565b929592945050506040919091013590565b5f5f60408385031215610a9c575f5ffd5b610aa5836109df565b9150610ab360208401610a22565b90509250929050565b5f60208284031215610acc575f5ffd5b610a4a826109df565b5f5f60408385031215610ae6575f5ffd5b50508035926020909101359150565b5f5f60408385031215610b06575f5ffd5b610b0f836109df565b9150610ab3602084016109df565b600181811c90821680610b3157607f821691505b602082108103610b4f57634e487b7160e01b5f52602260045260245ffd5b50919050565b60208082526017908201527f63616c6c6572206973206e6f7420746865206f776e6572000000000000000000604082015260600190565b634e487b7160e01b5f52601160045260245ffd5b81810381811115610bb357610bb3610b8c565b92915050565b80820180821115610bb357610bb3610b8c565b8082028115828204841417610bb357610bb3610b8c565b5f82610bfd57634e487b7160e01b5f52601260045260245ffd5b50049056"
} as const
