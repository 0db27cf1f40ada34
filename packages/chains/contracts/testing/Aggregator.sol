// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Stands in for Multicall3 on local chains: the two functions of it that reading balances needs.
contract Aggregator {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            require(success || calls[i].allowFailure, "call failed");
            results[i] = Result(success, returnData);
        }
    }

    function getEthBalance(address owner) external view returns (uint256) {
        return owner.balance;
    }
}
