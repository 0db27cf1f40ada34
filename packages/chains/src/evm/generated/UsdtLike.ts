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
  "bytecode": "0x60c060405234801561000f575f5ffd5b50604051610a9a380380610a9a83398101604081905261002e916100f5565b5f6100398482610201565b5060016100468382610201565b5060ff1660805250503360a0526102bf565b634e487b7160e01b5f52604160045260245ffd5b5f82601f83011261007b575f5ffd5b81516001600160401b0381111561009457610094610058565b604051601f8201601f19908116603f011681016001600160401b03811182821017156100c2576100c2610058565b6040528181528382016020018510156100d9575f5ffd5b8160208501602083015e5f918101602001919091529392505050565b5f5f5f60608486031215610107575f5ffd5b83516001600160401b0381111561011c575f5ffd5b6101288682870161006c565b602086015190945090506001600160401b03811115610145575f5ffd5b6101518682870161006c565b925050604084015160ff81168114610167575f5ffd5b809150509250925092565b600181811c9082168061018657607f821691505b6020821081036101a457634e487b7160e01b5f52602260045260245ffd5b50919050565b601f8211156101fc57828211156101fc57805f5260205f20601f840160051c60208510156101d557505f5b90810190601f840160051c035f5b818110156101f8575f838201556001016101e3565b5050505b505050565b81516001600160401b0381111561021a5761021a610058565b61022e816102288454610172565b846101aa565b6020601f821160018114610260575f83156102495750848201515b5f19600385901b1c1916600184901b1784556102b8565b5f84815260208120601f198516915b8281101561028f578785015182556020948501946001909201910161026f565b50848210156102ac57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805160a0516107b36102e75f395f8181610177015261042601525f61010c01526107b35ff3fe608060405234801561000f575f5ffd5b50600436106100a6575f3560e01c806370a082311161006e57806370a0823114610140578063867904b41461015f5780638da5cb5b1461017257806395d89b41146101b1578063a9059cbb146101b9578063dd62ed3e146101cc575f5ffd5b806306fdde03146100aa578063095ea7b3146100c857806318160ddd146100dd57806323b872dd146100f4578063313ce56714610107575b5f5ffd5b6100b26101f6565b6040516100bf9190610638565b60405180910390f35b6100db6100d6366004610688565b610281565b005b6100e660025481565b6040519081526020016100bf565b6100db6101023660046106b0565b610368565b61012e7f000000000000000000000000000000000000000000000000000000000000000081565b60405160ff90911681526020016100bf565b6100e661014e3660046106ea565b60036020525f908152604090205481565b6100db61016d366004610688565b61041b565b6101997f000000000000000000000000000000000000000000000000000000000000000081565b6040516001600160a01b0390911681526020016100bf565b6100b2610512565b6100db6101c7366004610688565b61051f565b6100e66101da36600461070a565b600460209081525f928352604080842090915290825290205481565b5f80546102029061073b565b80601f016020809104026020016040519081016040528092919081815260200182805461022e9061073b565b80156102795780601f1061025057610100808354040283529160200191610279565b820191905f5260205f20905b81548152906001019060200180831161025c57829003601f168201915b505050505081565b8015806102ae5750335f9081526004602090815260408083206001600160a01b0386168452909152902054155b6103095760405162461bcd60e51b815260206004820152602160248201527f72657365742074686520616c6c6f77616e636520746f207a65726f20666972736044820152601d60fa1b60648201526084015b60405180910390fd5b335f8181526004602090815260408083206001600160a01b03871680855290835292819020859055518481529192917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591015b60405180910390a35050565b6001600160a01b0383165f908152600460209081526040808320338452909152902054818110156103d45760405162461bcd60e51b8152602060048201526016602482015275696e73756666696369656e7420616c6c6f77616e636560501b6044820152606401610300565b5f19811461040a576103e68282610787565b6001600160a01b0385165f9081526004602090815260408083203384529091529020555b61041584848461052e565b50505050565b336001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016146104935760405162461bcd60e51b815260206004820152601760248201527f63616c6c6572206973206e6f7420746865206f776e65720000000000000000006044820152606401610300565b8060025f8282546104a491906107a0565b90915550506001600160a01b0382165f90815260036020526040812080548392906104d09084906107a0565b90915550506040518181526001600160a01b038316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200161035c565b600180546102029061073b565b61052a33838361052e565b5050565b6001600160a01b0383165f9081526003602052604090205481111561058c5760405162461bcd60e51b8152602060048201526014602482015273696e73756666696369656e742062616c616e636560601b6044820152606401610300565b6001600160a01b0383165f90815260036020526040812080548392906105b3908490610787565b90915550506001600160a01b0382165f90815260036020526040812080548392906105df9084906107a0565b92505081905550816001600160a01b0316836001600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161062b91815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b0381168114610683575f5ffd5b919050565b5f5f60408385031215610699575f5ffd5b6106a28361066d565b946020939093013593505050565b5f5f5f606084860312156106c2575f5ffd5b6106cb8461066d565b92506106d96020850161066d565b929592945050506040919091013590565b5f602082840312156106fa575f5ffd5b6107038261066d565b9392505050565b5f5f6040838503121561071b575f5ffd5b6107248361066d565b91506107326020840161066d565b90509250929050565b600181811c9082168061074f57607f821691505b60208210810361076d57634e487b7160e01b5f52602260045260245ffd5b50919050565b634e487b7160e01b5f52601160045260245ffd5b8181038181111561079a5761079a610773565b92915050565b8082018082111561079a5761079a61077356"
} as const
