// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A token that emits approvals in the name of any account. Only tests deploy it.
contract DevLure {
    string public name;
    string public constant symbol = "LURE";
    uint8 public decimals;

    event Approval(address indexed owner, address indexed spender, uint256 amount);

    constructor(string memory name_, uint8 decimals_) {
        (name, decimals) = (name_, decimals_);
    }

    function allowance(address, address) external pure returns (uint256) {
        return 1000;
    }

    function claim(address owner, uint160 first, uint256 count) external {
        for (uint160 index = 0; index < count; index++) emit Approval(owner, address(first + index), 1000);
    }
}
