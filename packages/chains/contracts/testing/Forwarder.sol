// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Pays in ways that a wallet does not: native coin by an internal call, several transfers in one transaction, and a
/// transfer that is reverted with its transaction.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent, "native transfer failed");
    }

    function spread(address token, address[] calldata to, uint256[] calldata values) external {
        require(to.length == values.length, "array lengths differ");
        for (uint256 i = 0; i < to.length; i++) pull(token, to[i], values[i]);
    }

    function payAndFail(address token, address to, uint256 value) external {
        pull(token, to, value);
        revert("reverted on purpose");
    }

    /// Accepts tokens that return nothing as well as tokens that return true.
    function pull(address token, address to, uint256 value) private {
        (bool done, bytes memory answer) = token.call(
            abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, to, value)
        );
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "token transfer failed");
    }
}
